/** Only the kill switch of tests knows it. */
export const cutHeader = "x-test-kill-at-cut";
