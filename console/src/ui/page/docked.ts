/** The media query of windows in which the details of a row are beside its list; in others they are over it. */
export const DOCKED = '(min-width: 70em)'
