"""The service: jobs and the release desk over HTTP.

Read ``settings`` first (what is decided before it starts), then ``store`` (what it remembers), ``work`` (jobs as
processes) and ``service``, which holds them together. ``access`` says who may do what, ``routes`` are the operations,
``app`` puts them behind guards, and ``run`` listens. It calls jobs, plans and the desk, and nothing below them.
"""
