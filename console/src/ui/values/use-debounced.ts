import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for a while, so that not every typed letter becomes a request. */
export function useDebounced<Value>(value: Value, milliseconds = 300): Value {
  const [debounced, setDebounced] = useState(value)
  // Each render creates a new object: compare the content.
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(text) as Value), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return debounced
}
