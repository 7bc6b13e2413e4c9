import { useCallback, useState } from 'react'

/**
 * The selection of the palette for assistive technology. Mantine marks the selected entry only with an attribute for styles, which neither
 * the text field nor the entries expose.
 */
export function useSelectedOption() {
  const [selectedId, setSelectedId] = useState<string | undefined>()
  const list = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const read = () => {
      let selected: string | undefined
      for (const [index, option] of element.querySelectorAll('[role="option"]').entries()) {
        option.id = `${element.id}-${index}`
        const isSelected = option.hasAttribute('data-selected')
        option.setAttribute('aria-selected', String(isSelected))
        if (isSelected) selected = option.id
      }
      setSelectedId(selected)
    }
    const observer = new MutationObserver(read)
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['data-selected'] })
    read()
    return () => {
      observer.disconnect()
      setSelectedId(undefined)
    }
  }, [])
  return { list, selectedId }
}
