export { currency, formatMicros } from "./money.ts";
export { callForMoney } from "./paid-call.ts";
