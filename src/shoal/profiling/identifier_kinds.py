"""What names people: the kinds of identifiers of HIPAA's safe harbor (45 CFR 164.514(b)(2)), and European forms.

A kind is recognized by the name of a column, by the pattern of its values with their check digits, or by both. A
pattern that is *specific* is met by hardly anything else; one that is not, such as nine digits, counts only beside a
name.
"""

from shoal.data import Role

from . import check_digits
from .identifier_kind import IdentifierKind

__all__ = ["KINDS"]

_NAME = (
    r"(?:(?:first|last|middle|full|maiden|given|family|user|patient|customer|client|person|employee|student|contact"
    r"|respondent|participant|subject|author|mother|father|spouse|nick|kunden|l|f|m)"
    r" ?(?:names?|nm)|^names?(?: (?:first|last|middle))?|surname|forename|(?:middle )?initials?|vorname|nachname"
    r"|familienname|nom(?: de famille)?|prenom|prénom"
    r"|apellidos?|nombre|cognome|achternaam|voornaam|naam)"
)
_SMALL_AREA = (
    r"zip(?: ?code)?|(?:county )?fips(?: code)?|(?:street|city|town|county) name|address line|post ?codes?"
    r"|postal(?: code)?|plz|postleitzahl|code postal|street|strasse|straße"
    r"|(?<!ip )(?<!mac )(?<!mail )(?<!web )address"
    r"|adresse|addr|city|town|municipality|gemeinde|ort|wohnort|county|precinct|parish|district|census tract"
    r"|block ?group"
    r"|lat|latitude|lon|lng|longitude|geo ?code|coordinates?"
)
_DATE_NAMES = (
    r"(?:birth|admission|discharge|death|visit|service|event|hire|diagnosis|admit) ?(?:date|day|time|dt)|dob"
    r"|dod|date(?: of \w+)?"
    r"|birthday|geburtsdatum|geburtstag|datum|timestamp|datetime|date ?time|created(?: at)?|updated(?: at)?"
)
_NUMBER = r"(?: ?(?:id|no|nr|num|number|code|nummer))"
_PHONE_NAMES = (
    rf"(?:(?:tele|mobile |cell |cell)?phones?|mobile|cell|tel|telefon|handy){_NUMBER}?|contact number"
    r"|phone (?:home|work|mobile|cell|office|day|evening)"
)
_SSN_NAMES = (
    r"ssn(?: last)?|ss (?:no|number)|soc sec(?: ?(?:no|num|number))?|social (?:security|insurance)(?: ?(?:no|nr"
    r"|num|number))?"
    r"|sozialversicherungsnummer|national (?:id|insurance)(?: ?(?:no|number))?|nino"
    r"|tax(?:payer)? ?(?:id|no|number)|tin|steuer ?id|steuernummer|nir|dni|nie|bsn|pesel|personnummer"
    r"|codice fiscale|cpr|ahv"
)
_HEX = r"[0-9A-Fa-f]"
# without counted repetitions of letters, which take long to compile
_HOST = r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}"
_IPV4 = r"(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATES = (
    r"(?i)^(?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]"
    r"|[12]\d|3[01])"
    rf"[./-](?:\d{{4}}|\d{{2}})|\d{{1,2}}[ -]{_MONTHS}[ -]\d{{2,4}}|{_MONTHS} \d{{1,2}},? \d{{4}}"
    r"|(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))"
    r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m|Z|[+-]\d{2}:?\d{2})?)?$"
)
_ID, _QI = Role.IDENTIFIER, Role.QUASI_IDENTIFIER

KINDS: tuple[IdentifierKind, ...] = (
    IdentifierKind(
        "name", "A", _ID, _NAME, r"^\p{Lu}[\p{L}'’.-]+,? +(?:\p{Lu}[\p{L}'’.-]* +)?\p{Lu}[\p{L}'’-]+$", specific=False
    ),
    IdentifierKind(
        "geographic unit smaller than a state", "B", _QI, _SMALL_AREA, r"^[0-9]{4,5}(?:-[0-9]{4})?$", specific=False
    ),
    IdentifierKind("ZIP+4 code", "B", _QI, None, r"^[0-9]{5}-[0-9]{4}$"),
    IdentifierKind("British postcode", "B", _QI, None, r"^[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}$"),
    IdentifierKind(
        "street address",
        "B",
        _ID,
        None,
        r"(?i)^(?:\d{1,5}[a-z]? [\p{L} .'-]+ (?:st|street|ave|avenue|rd|road|blvd|lane|ln|drive|dr|court|ct|way"
        r"|place|pl)\.?(?:,? (?:apt|apartment|unit|suite|#)\.? ?\w+)?|[\p{L} .-]+(?:straße|strasse|str\.|weg"
        r"|platz|gasse|allee) \d{1,4} ?[a-z]?|(?:rue|avenue"
        r"|boulevard|calle|via|plaza) .+ \d{1,4}|\d{1,4},? (?:rue|avenue|boulevard) .+)$",
    ),
    IdentifierKind("date finer than a year", "C", _QI, _DATE_NAMES, _DATES),
    IdentifierKind(
        "telephone number",
        "D",
        _ID,
        _PHONE_NAMES,
        r"^(?:\+[1-9][0-9 ()./-]{6,18}[0-9]|\([0-9]{3}\) ?[0-9]{3}-[0-9]{4}"
        r"|(?:1-)?[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4}|0[0-9]{2,4}[ /-][0-9][0-9 -]{4,9})$",
        inside=r"\+[1-9][0-9]{1,2}[ -][0-9][0-9 -]{6,12}[0-9]\b|\([0-9]{3}\) ?[0-9]{3}-[0-9]{4}\b"
        r"|\b[0-9]{3}-[0-9]{3}-[0-9]{4}\b",
    ),
    IdentifierKind("telephone number", "D", _ID, _PHONE_NAMES, r"^[0-9+][0-9 ()./-]{5,18}$", specific=False),
    IdentifierKind("fax number", "E", _ID, rf"(?:tele)?fax{_NUMBER}?", r"^[0-9+][0-9 ()./-]{5,18}$", specific=False),
    IdentifierKind(
        "e-mail address",
        "F",
        _ID,
        r"e ?mails?(?: ?(?:address|adresse|addr|id))?|mail",
        rf"^[A-Za-z0-9_.+'-]+@{_HOST}$",
        inside=rf"[A-Za-z0-9_.+-]+@{_HOST}",
    ),
    IdentifierKind(
        "social security number",
        "G",
        _ID,
        _SSN_NAMES,
        r"^(?:00[1-9]|0[1-9][0-9]|[1-57-8][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(?:0[1-9]|[1-9][0-9])-(?:000[1-9]"
        r"|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})$",
        inside=r"\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\b",
    ),
    IdentifierKind("social security number", "G", _ID, _SSN_NAMES, r"^[0-9A-Z][0-9A-Z ./-]{7,18}$", specific=False),
    IdentifierKind(
        "National Insurance number",
        "G",
        _ID,
        None,
        r"^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]$",
    ),
    IdentifierKind(
        "Spanish identity number",
        "G",
        _ID,
        None,
        r"^(?:[0-9]{8}"
        r"|[XYZ][0-9]{7})-?[A-Z]$",
        check_digits.dni,
    ),
    IdentifierKind(
        "French social security number",
        "G",
        _ID,
        None,
        r"^[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}$",
        check_digits.nir,
    ),
    IdentifierKind(
        "Italian tax code",
        "G",
        _ID,
        None,
        r"^[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]$",
        check_digits.codice_fiscale,
    ),
    IdentifierKind(
        "Swiss social insurance number", "G", _ID, None, r"^756\.?[0-9]{4}\.?[0-9]{4}\.?[0-9]{2}$", check_digits.ean_13
    ),
    IdentifierKind(
        "German tax number",
        "G",
        _ID,
        None,
        r"^[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}$",
        check_digits.german_tax_number,
    ),
    IdentifierKind(
        "Polish identity number",
        "G",
        _ID,
        None,
        r"^[0-9]{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{5}$",
        check_digits.pesel,
    ),
    IdentifierKind("Dutch citizen number", "G", _ID, None, r"^[0-9]{9}$", check_digits.bsn),
    IdentifierKind(
        "Swedish identity number",
        "G",
        _ID,
        None,
        r"^[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}$",
        check_digits.luhn,
    ),
    IdentifierKind(
        "medical record number",
        "H",
        _ID,
        rf"mrn|med(?:ical)? ?rec(?:ord)?{_NUMBER}?|patient{_NUMBER}?|case{_NUMBER}|chart{_NUMBER}|nhs{_NUMBER}?"
        rf"|hospital{_NUMBER}|encounter{_NUMBER}|fallnummer",
    ),
    IdentifierKind("NHS number", "H", _ID, None, r"^[0-9]{3} ?[0-9]{3} ?[0-9]{4}$", check_digits.nhs_number),
    IdentifierKind(
        "health plan number",
        "I",
        _ID,
        rf"health plan{_NUMBER}?|member{_NUMBER}|beneficiary{_NUMBER}?|polic(?:y|ies){_NUMBER}"
        rf"|insurance{_NUMBER}|medicare{_NUMBER}?|medicaid{_NUMBER}?|mbi|subscriber{_NUMBER}|versichertennummer",
        r"^[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}"
        r"$",
    ),
    IdentifierKind(
        "account number",
        "J",
        _ID,
        rf"account{_NUMBER}?|acct{_NUMBER}?|iban|kontonummer|konto|credit ?card{_NUMBER}?|card{_NUMBER}|cc (?:no"
        rf"|number)",
    ),
    IdentifierKind(
        "bank account (IBAN)",
        "J",
        _ID,
        None,
        r"^(?i)[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}$",
        check_digits.iban,
        inside=r"\b[A-Z]{2}[0-9]{2}(?: [A-Z0-9]{4}){3,7}\b",
    ),
    IdentifierKind(
        "payment card",
        "J",
        _ID,
        None,
        r"^(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|3[47][0-9]{2}|6(?:011"
        r"|5[0-9]{2}))[ -]?(?:[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}|[0-9]{6}[ -]?[0-9]{5})$",
        check_digits.luhn,
    ),
    IdentifierKind(
        "certificate or license number",
        "K",
        _ID,
        rf"(?:drivers?|driving) ?(?:license|licence)?{_NUMBER}?|(?:license|licence|certificate|passport"
        rf"|permit|dl|dea|npi){_NUMBER}|npi|medical licen[sc]e|passport|führerschein",
    ),
    IdentifierKind(
        "vehicle identifier",
        "L",
        _ID,
        rf"vin|vehicle{_NUMBER}|(?:license|licence|number) plate|plate{_NUMBER}?|vehicle registration|kennzeichen",
        r"^[A-HJ-NPR-Z0-9]{17}$",
        check_digits.vin,
    ),
    IdentifierKind(
        "device identifier",
        "M",
        _ID,
        rf"mac(?: address)?|imei|imsi|device{_NUMBER}|serial{_NUMBER}?|udid|android id|advertising id|idfa",
        rf"^(?:{_HEX}{{2}}[:-]){{5}}{_HEX}{{2}}$|^(?:{_HEX}{{4}}\.){{2}}{_HEX}{{4}}$",
    ),
    IdentifierKind(
        "device identifier (IMEI)", "M", _ID, None, r"^[0-9]{2}-?[0-9]{6}-?[0-9]{6}-?[0-9]$", check_digits.luhn
    ),
    IdentifierKind(
        "web address",
        "N",
        _ID,
        r"urls?|web ?sites?|home ?pages?|web ?page|link",
        rf"^(?i)(?:https?://|ftp://|www\.){_HOST}(?:[:/?#]\S*)?$",
        inside=r"(?i)\bhttps?://\S+|\bwww\.[a-z0-9-]+\.\S+",
    ),
    IdentifierKind(
        "IP address",
        "O",
        _ID,
        r"ips?(?: ?(?:address|addr))?|i ?p ?v",
        rf"^(?:{_IPV4}|(?:{_HEX}{{1,4}}:){{7}}{_HEX}{{1,4}}|(?:{_HEX}{{1,4}}:){{1,6}}(?::{_HEX}{{1,4}}){{1,6}}"
        rf"|(?:{_HEX}{{1,4}}:){{1,7}}:|::(?:{_HEX}{{1,4}}:){{0,6}}{_HEX}{{1,4}})$",
        inside=rf"\b{_IPV4}\b",
    ),
    IdentifierKind(
        "biometric identifier",
        "P",
        _ID,
        r"finger ?prints?|voice ?prints?|iris(?: scan)?|retina(?: scan)?|biometrics?(?: id)?|face ?(?:print|id"
        r"|encoding|embedding)|dna|genome|genotype",
    ),
    IdentifierKind(
        "photograph",
        "Q",
        _ID,
        r"photo(?:s|graphs?)?(?: file)?|portrait|head ?shot|images?|pictures?|avatar|selfie|foto|bild|x ?ray",
        r"(?i)^.+\.(?:jpe?g|png|gif|bmp|tiff?|heic|webp|dcm)$",
    ),
    IdentifierKind(
        "unique code",
        "R",
        _ID,
        r"uuid|guid|^id|(?:user|person|subject|participant|respondent|customer|client|employee|student|record"
        r"|row|reviewer|study|response) ?(?:id|no|nr|number|key)|identifier|pseudonym|token|hash",
        rf"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$|^(?:{_HEX}{{32}}|{_HEX}{{40}}"
        rf"|{_HEX}{{64}})$",
    ),
)
"""In the order of the paragraphs. Ages over 89 and other unique codes depend on more than a pattern: see screening."""
