import m from '../../messages/en/page-footer.json'
import { customLink } from './login-config'
import styles from './page-footer.module.css'

/** The footer of public pages: the product, and the links of the instance. */
export function PageFooter() {
  const links = [
    { label: m.help(), href: customLink('helpUrl') },
    { label: m.privacy(), href: customLink('privacyUrl') },
    { label: m.terms(), href: customLink('termsUrl') },
  ]
  return (
    <footer className={styles.footer}>
      <span className={styles.by}>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
          <rect width="14" height="14" rx="3.5" fill="currentColor" />
          <path className={styles.keyhole} d="M7 3.2a2 2 0 0 1 1 3.73l.5 3.07h-3L6 6.93A2 2 0 0 1 7 3.2z" />
        </svg>
        {m.securedBy()}
      </span>
      {links.map(
        ({ label, href }) =>
          href && (
            <a key={label} href={href} target="_blank" rel="noreferrer">
              {label}
            </a>
          ),
      )}
    </footer>
  )
}
