import { isMaybe, isNumber, isShape, isText } from "@svc/protocol/shape";

/** A login that waits for a person's approval (RFC 8628, 3.2). */
export interface DeviceCode {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  /** The same page with the code in it. */
  verificationUriComplete?: string | undefined;
  expiresAt: number;
  interval: number;
}

export const isDeviceCode = isShape<DeviceCode>({
  deviceCode: isText,
  userCode: isText,
  verificationUri: isText,
  verificationUriComplete: isMaybe(isText),
  expiresAt: isNumber,
  interval: isNumber,
});
