import { Checkbox } from '@blueprintjs/core'
import { useState, type KeyboardEvent } from 'react'
import type { Command } from '#commands/command.ts'
import { useSay } from '#src/kit/text.ts'
import { keyLabel, parse, strokesOf, type Stroke } from './strokes.ts'

export type Sought = { words: string; pressed: readonly Stroke[] | null }
/** Whether a command is what is sought: by its titles or its keys' names, or by the key pressed. */
export const isSought = (
  { words, pressed }: Sought,
  of: Command,
  keys: string | undefined,
  more = '',
): boolean => {
  if (pressed) return keys !== undefined && parse(keys).some(press => pressed.includes(press))
  const wanted = words.trim().toLowerCase()
  return (
    wanted === '' ||
    `${of.title} ${of.en} ${more} ${keys ? keyLabel(keys) : ''}`.toLowerCase().includes(wanted)
  )
}

/**
 * Finds keys by words, or by pressing them: chords at once, single keys where "by pressing" is
 * ticked.
 */
export const KeySearch = ({
  sought,
  seek,
  label,
  onKey,
  pointed,
}: {
  sought: Sought
  seek: (sought: Sought) => void
  label: string
  onKey?: (event: KeyboardEvent) => void
  pointed?: string | undefined
}) => {
  const say = useSay()
  const [recording, setRecording] = useState(false)
  return (
    <div className="s-sheet-search">
      <input
        autoFocus
        className="bp6-input"
        type="search"
        value={sought.pressed ? keyLabel(sought.pressed[0]!) : sought.words}
        placeholder={say(['搜索，或按下要查的键', 'Search, or press the key'])}
        aria-label={label}
        {...(pointed ? { 'aria-activedescendant': pointed } : {})}
        onChange={event => seek({ words: event.target.value, pressed: null })}
        onKeyDown={event => {
          if (event.key === 'Tab' || event.key === 'Escape') return
          const strokes =
            recording || event.ctrlKey || event.metaKey || event.altKey
              ? strokesOf(event.nativeEvent)
              : []
          if (strokes.length === 0) onKey?.(event)
          else {
            event.preventDefault()
            seek({ words: '', pressed: strokes })
          }
        }}
      />
      <Checkbox
        inline
        label={say(['按键查找', 'Find by pressing'])}
        checked={recording}
        onChange={event => {
          setRecording(event.currentTarget.checked)
          seek({ words: '', pressed: null })
        }}
      />
    </div>
  )
}
