/** Returns the names of a request as they are stored; a blank name is none. */
export const namesIn = ({ firstName, lastName }: { firstName?: string; lastName?: string }) => ({
  firstName: firstName?.trim() || null,
  lastName: lastName?.trim() || null,
})
