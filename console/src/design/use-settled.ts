import { useEffect, useState } from 'react'

/** A value that is typed, once nothing was typed for a moment: not every letter is a question to the service. */
export function useSettled<Value>(value: Value, milliseconds = 300): Value {
  const [settled, setSettled] = useState(value)
  // Values are made anew at each paint: what they say is compared, not which one it is.
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return settled
}
