/** The id of no principal: the actor of work that nobody asked for, and an id that finds nothing. */
export const nobody = "00000000-0000-0000-0000-000000000000";
