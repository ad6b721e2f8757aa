import fc from "fast-check";

// Reports keep an error's message and leave out its cause, which is where fast-check puts what went wrong.
fc.configureGlobal({ ...fc.readConfigureGlobal(), includeErrorInReport: true });
