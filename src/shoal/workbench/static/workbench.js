// What pages do beyond showing what the server made: they follow jobs, and copy commands.
"use strict";

// Follow a job by its events; the page is loaded again when it is over.
function follow(section) {
  const bar = section.querySelector("progress");
  const state = section.querySelector(".state");
  const stage = section.querySelector(".stage");
  const left = section.querySelector(".left");
  const names = new Map();
  const began = Date.now() - 1;
  const first = Number(bar.value);
  let whole = null;
  let told = "";
  const source = new EventSource(`/api/v1/jobs/${section.dataset.job}/events`);
  const show = () => {
    const open = [...names].filter(([number]) => number !== whole).map(([, name]) => name);
    stage.textContent = open.join(" › ");
    const last = open.length ? `Under way: ${open[0]} …` : "Under way …";
    if (last !== told) {
      told = last;
      state.textContent = last; // a live region: said once per stage, not with every step
    }
  };
  source.addEventListener("begin", (event) => {
    const data = JSON.parse(event.data);
    if (data.parent === null && whole === null) whole = data.stage;
    names.set(data.stage, data.name);
    show();
  });
  source.addEventListener("advance", (event) => {
    const data = JSON.parse(event.data);
    if (data.stage !== whole || !data.total) return;
    const value = Math.max(Number(bar.value), Math.round((1000 * data.done) / data.total));
    bar.value = value;
    const gained = value - first;
    const seconds = (Date.now() - began) / 1000;
    left.textContent = gained > 50 ? `about ${Math.ceil((seconds * (1000 - value)) / gained)} s left` : "";
  });
  source.addEventListener("end", (event) => {
    const data = JSON.parse(event.data);
    if (data.stage !== whole) names.delete(data.stage);
    show();
  });
  source.addEventListener("over", () => {
    source.close();
    window.location.reload();
  });
}

// Every command can be copied.
function addCopying(code) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  });
  code.parentElement.before(button);
}

// Send a file as it is, with how much has been sent; it can be dropped, and the sending can be canceled.
function addUploading(form) {
  const field = form.querySelector("input[type=file]");
  const drop = form.querySelector(".drop");
  const box = form.querySelector(".uploading");
  const bar = box.querySelector("progress");
  const state = box.querySelector(".state");
  const headers = { "x-shoal-form": document.body.dataset.formToken };
  let sending = null;
  let dataset = null;
  const forget = () => {
    if (dataset) fetch(`/api/v1/datasets/${dataset}`, { method: "DELETE", headers, keepalive: true });
    dataset = sending = null;
  };
  const fail = (words) => {
    forget();
    bar.hidden = true;
    box.classList.add("problem");
    state.textContent = words;
  };
  const told = (text) => {
    try {
      const problem = JSON.parse(text);
      return [problem.title, problem.detail].filter(Boolean).join(" ");
    } catch {
      return "The service did not answer. Try again.";
    }
  };
  const send = async (file) => {
    if (sending) return;
    box.hidden = false;
    bar.hidden = false;
    box.classList.remove("problem");
    bar.value = 0;
    if (file.size > Number(form.dataset.largest)) return fail("The file is larger than this service takes.");
    state.textContent = `Sending ${file.name} …`;
    const body = JSON.stringify({ name: file.name });
    const json = { ...headers, "content-type": "application/json" };
    const made = await fetch("/api/v1/datasets", { method: "POST", headers: json, body }).catch(() => null);
    if (!made || !made.ok) return fail(told(made ? await made.text() : ""));
    dataset = (await made.json()).id;
    sending = new XMLHttpRequest();
    sending.open("PUT", `/api/v1/datasets/${dataset}/content`);
    sending.setRequestHeader("x-shoal-form", headers["x-shoal-form"]);
    sending.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = Math.round((1000 * event.loaded) / event.total);
    });
    sending.addEventListener("load", () => {
      if (sending.status !== 200) return fail(told(sending.responseText));
      state.textContent = "Sent.";
      window.location.assign(`/data/${dataset}/look`);
    });
    sending.addEventListener("error", () => fail("The connection was cut off. Try again."));
    sending.addEventListener("abort", () => fail("Canceled. Nothing was kept."));
    sending.send(file);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.files.length) send(field.files[0]);
  });
  box.querySelector(".cancel").addEventListener("click", () => sending && sending.abort());
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length === 1) send(event.dataTransfer.files[0]);
  });
}

// Check a hierarchy while it is written, once nothing was typed for a moment.
function addChecking(area) {
  const told = document.getElementById(area.getAttribute("aria-describedby"));
  const headers = { "x-shoal-form": document.body.dataset.formToken, "content-type": "application/json" };
  let timer = null;
  let asked = 0;
  const line = (tag, kind, words) => {
    const element = document.createElement(tag);
    if (kind) element.className = kind;
    element.textContent = words;
    return element;
  };
  const show = (job) => {
    if (job.state !== "done") {
      const problem = job.problem || { title: "It could not be checked." };
      told.replaceChildren(line("p", "fails", `✗ ${problem.title} ${problem.detail || ""}`));
      return;
    }
    const result = job.result;
    const holds = `✓ A hierarchy of ${result.values} values with ${result.levels} levels.`;
    const head = line("p", result.holds ? "holds" : "fails", result.holds ? holds : "✗ Not a hierarchy of this column yet.");
    const list = document.createElement("ul");
    for (const each of result.faults.slice(0, 20)) {
      const lines = each.lines.length ? ` Lines: ${each.lines.slice(0, 10).join(", ")}` : "";
      list.append(line("li", "", `${each.fault} ${each.cure}${lines}`));
    }
    for (const note of result.notes.slice(0, 20)) list.append(line("li", "", note));
    told.replaceChildren(head, list);
  };
  const check = async () => {
    const number = ++asked;
    const body = JSON.stringify({ column: area.dataset.column, content: area.value });
    const answer = await fetch(`${area.dataset.check}?wait=20`, { method: "POST", headers, body }).catch(() => null);
    const job = answer && (await answer.json().catch(() => null));
    if (!job) return;
    if (job.id) fetch(`/api/v1/jobs/${job.id}`, { method: "DELETE", headers }); // it was for this moment only
    if (number === asked) show(job.id ? job : { state: "failed", problem: job });
  };
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 700);
  });
}

document.querySelectorAll("[data-check]").forEach(addChecking);
document.querySelectorAll("[data-upload]").forEach(addUploading);
document.querySelectorAll("[data-job]").forEach(follow);
document.querySelectorAll(".same pre code").forEach(addCopying);

// Wait for what the desk decides; the page is loaded again when it is decided.
async function awaitDecision(section) {
  for (;;) {
    const answer = await fetch(`${section.dataset.await}?wait=20`);
    if (!answer.ok) return;
    if ((await answer.json()).ended !== null) break;
  }
  window.location.reload();
}

document.querySelectorAll("[data-await]").forEach(awaitDecision);
