/** A text that is too long to read: 120 sections, of which one says how people travel. */
export const handbookPath = "/house/handbook.txt";

const topics = ["the warehouse", "returns", "the cold room", "holidays", "keys", "tastings", "invoices"];

export const handbook = Array.from({ length: 120 }, (_, number) => {
  const topic = number === 83 ? "travel" : topics[number % topics.length];
  const rule =
    number === 83
      ? "To suppliers within a day's distance we take the night train, second class, and never fly."
      : `Ask whoever looks after ${topic} before you change anything, and write down what you agreed.`;
  const advice = `Section ${number + 1} was last looked at in ${2016 + (number % 10)}. It holds for everybody.`;
  return `Section ${number + 1}: ${topic}\n\n${rule} ${advice} ${`More about ${topic} is on the notice board. `.repeat(6)}`;
}).join("\n\n");
