import { escapeHtml } from '../escape-html.js'
import type { Brand, MailContent } from './mail-kind.js'

/** Returns black or white, by contrast with `color` (WCAG 2.2 relative luminance; above 0.179 black has the greater contrast). */
export function readableOn(color: string): string {
  const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

/** Renders the text part: the same content as the HTML part, with the URL. */
export function renderText({ heading, paragraphs, action, notes }: MailContent, brand: Brand): string {
  const blocks = [
    heading,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `-- \n${brand.name}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Renders the HTML part with tables and inline styles, for compatibility with mail clients. The logo is the only image. */
export function renderHtml({ subject, heading, paragraphs, action, notes }: MailContent, brand: Brand): string {
  const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
  const logo = brand.logoUrl?.startsWith('https://')
    ? `<img src="${escapeHtml(brand.logoUrl)}" alt="${escapeHtml(brand.name)}" height="32" style="display:block;height:32px;border:0">`
    : `<span style="font-size:18px;font-weight:600">${escapeHtml(brand.name)}</span>`
  const button = action
    ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr><td style="border-radius:8px;background:${brand.primaryColor}">` +
      `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;font-weight:600;color:${readableOn(brand.primaryColor)};text-decoration:none">${escapeHtml(action.label)}</a></td></tr></table>` +
      `<p style="margin:0 0 16px;font-size:13px;color:#5c636a">If the button does not work, open this address:<br><a href="${escapeHtml(action.url)}" style="color:#5c636a;word-break:break-all">${escapeHtml(action.url)}</a></p>`
    : ''
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;background:#f1f3f5;color:#212529;${font}">`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border-radius:8px"><tr><td style="padding:32px">',
    `<div style="margin-bottom:24px">${logo}</div>`,
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map(
      (paragraph) => `<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${escapeHtml(paragraph)}</p>`,
    ),
    button,
    ...notes.map(
      (note) => `<p style="margin:0 0 8px;font-size:13px;line-height:1.5;color:#5c636a">${escapeHtml(note)}</p>`,
    ),
    '</td></tr></table></td></tr></table></body></html>',
  ].join('\n')
}
