/** Known only to the kill switch of tests. */
export const cutHeader = "x-test-kill-at-cut";
