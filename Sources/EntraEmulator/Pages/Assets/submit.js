// Sends the answer on by itself (OAuth 2.0 Form Post Response Mode, section 2).
document.forms[0].submit();
