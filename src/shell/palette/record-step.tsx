import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Page, RecordFinder } from '#commands/command.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { useRecordsOf, type Choice } from './record-of.ts'

const PAUSE_MS = 180

const Choices = ({
  choices,
  pointed,
  label,
  point,
  open,
}: {
  choices: readonly Choice[]
  pointed: number
  label: string
  point: (at: number) => void
  open: (choice: Choice) => void
}) =>
  choices.length > 0 && (
    <div role="listbox" aria-label={label} className="s-steps-list">
      {choices.map((choice, i) => (
        <div
          key={choice.id}
          role="option"
          aria-selected={i === pointed}
          onPointerMove={() => point(i)}
          onClick={() => open(choice)}
        >
          {choice.title} <small>{choice.more}</small>
        </div>
      ))}
    </div>
  )

/**
 * The page of one record asks for it: its number or name, then Enter opens the page. Backspace on
 * an empty line goes back.
 */
export const RecordStep = ({
  page,
  finder,
  back,
  done,
}: {
  page: Page
  finder: RecordFinder
  back: () => void
  done: () => void
}) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const [pointed, setPointed] = useState(0)
  const [entered, setEntered] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const choices = useRecordsOf(page, finder, asked)
  const open = (choice: Choice) => {
    done()
    desk.open(choice.address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      const choice = asked === typed ? choices[pointed] : undefined
      if (choice) open(choice)
      else setEntered(true)
    } else if (event.key === 'Escape') done()
    else if (event.key === 'Backspace' && typed === '') back()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setPointed(
        (pointed + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) %
          Math.max(1, choices.length),
      )
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const hint = say(finder.hint)
  return (
    <div className="s-steps">
      <p className="s-steps-path">
        <b>{titleIn(page, now)}</b>
        <em>{say(['哪一条', 'Which one'])}</em>
      </p>
      <input
        ref={input}
        cmdk-input=""
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setPointed(0)
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
        aria-label={hint}
        aria-describedby="record-step-fault"
        placeholder={hint}
      />
      <p id="record-step-fault" className="s-steps-fault" role="alert">
        {entered && asked === typed && choices.length === 0
          ? say([
              '没有找到可以打开的记录，请检查号码',
              'No record that you may open: check the number',
            ])
          : ''}
      </p>
      <Choices choices={choices} pointed={pointed} label={hint} point={setPointed} open={open} />
    </div>
  )
}
