/** With so few backup codes, a lost phone soon means a lost account. */
export const few = (left: number) => left <= 2
