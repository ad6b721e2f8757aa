import { enableCompileCache, flushCompileCache } from "node:module";

/**
 * Loaded into processes of tests before anything else (`node --import`): compiling the modules takes half of a start.
 * Node keeps what it compiled when a process ends by itself; those that are killed do so at this signal.
 */
enableCompileCache(process.env.SVC_TEST_COMPILE_CACHE);
process.on("SIGUSR2", () => flushCompileCache());
