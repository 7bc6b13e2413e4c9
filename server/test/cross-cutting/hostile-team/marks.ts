/** A value that only the friendly team writes. The hostile team must not read it. */
export const COMPANY_MARK = 'Written-by-the-company'
/** A value that only the user writes, to their own profile. */
export const OWN_MARK = 'Written-by-the-user'
