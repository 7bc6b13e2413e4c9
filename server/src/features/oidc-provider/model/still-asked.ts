/**
 * Whether what an application asked for, and nobody has answered, may still be answered, as a condition over its row and `applications a`:
 * not where everything that the application was given has ended since.
 * @param row alias of the interaction, pushed request or device code
 */
export const isRequestCurrent = (row: string): string => `coalesce(${row}.generation, a.generation) = a.generation`
