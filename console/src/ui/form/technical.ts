/** Props of inputs for values that no browser may complete or correct. */
export const technical = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
