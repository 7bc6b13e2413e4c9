/** Values that only the friendly team writes: it is a leak if the hostile team reads one. */
export const COMPANY_MARK = 'Written-by-the-company'
/** Values that only the user writes to their own profile. */
export const OWN_MARK = 'Written-by-the-user'
