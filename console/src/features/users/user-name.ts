import { personName } from '../account/profile/person-name'

/** The name of a user for lists and headings: the email address if there is no name. */
export const userName = (user: { firstName: string | null; lastName: string | null; email: string }): string =>
  personName(user) ?? user.email
