/** With so few backup codes left, a lost phone may soon be a lost account. */
export const few = (left: number) => left <= 2
