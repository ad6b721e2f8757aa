import { dateAfter } from "../calendar.ts";
import { between, pick, pickSome } from "../chance.ts";
import { type Customer, customers } from "./customers.ts";
import { type Product, products } from "./products.ts";

export interface Order {
  number: string;
  customer: Customer;
  date: string;
  lines: readonly { product: Product; quantity: number }[];
  /** In euros, without tax. */
  total: number;
  status: string;
  isPaid: boolean;
  carrier: string;
}

export const orderStatuses = ["open", "packed", "shipped", "delivered", "returned"];
export const carriers = ["sea freight", "air freight", "courier"];

const count = 120;
const buyers = customers.filter(({ status }) => status !== "prospect");

/** One every five days, from the beginning of 2025 to the autumn of 2026. */
export const orders: readonly Order[] = Array.from({ length: count }, (_, index) => {
  const date = dateAfter("2025-01-07", Math.floor(index * 5.5));
  const number = `KT-${date.slice(0, 4)}-${String(index + 1).padStart(4, "0")}`;
  const lines = pickSome(`lines of ${number}`, products, between(`size of ${number}`, 1, 4)).map(
    (product) => ({ product, quantity: between(`${number} ${product.sku}`, 2, 16) * 6 }),
  );
  const isOld = index < count - 14;
  return {
    number,
    customer: pick(`buyer of ${number}`, buyers),
    date,
    lines,
    total: lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0),
    status: isOld
      ? pick(`status of ${number}`, ["delivered", "delivered", "delivered", "delivered", "returned"])
      : pick(`status of ${number}`, ["open", "packed", "shipped"]),
    isPaid: isOld && between(`paid ${number}`, 0, 11) > 0,
    carrier: pick(`carrier of ${number}`, carriers),
  };
});
