import { seedCheckout } from "./local-server/seed-checkout.ts";

/** The sample company in this checkout's database, without starting anything. `npm run dev` does it too. */
const { database, tokenFile, peopleFolder } = await seedCheckout(process.env.SVC_DEV_FOLDER ?? ".dev");
console.log(
  `${database} has the sample company. Tokens: ${tokenFile} (administrator), ${peopleFolder}/*.token (its people)`,
);
