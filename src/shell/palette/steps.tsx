import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Ask } from '#commands/command.ts'
import type { Text } from '#src/domain/text.ts'
import { answerOf, asksCount, codesOf, problem, reasonsOf } from '#src/kit/asks.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { DryRun } from '#src/kit/dry-run.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { useDesk, type Offer } from '../desk.ts'
import { isGlobal } from '../registry.ts'
import { plain } from './plain.ts'

/** Questions that want more than a line, or depend on another's answer. */
const needsRoom = new Set<Ask['kind']>(['marks', 'order', 'images', 'entities', 'choices', 'flag'])
/**
 * Whether the palette itself can ask this action's questions, one by one; the others are asked by
 * the dialog.
 */
export const canStep = ({ action, rows }: Offer): boolean => {
  const asks = Object.values(action.asks ?? {})
  // The workbench's own know what they are about: they ask by themselves.
  return (
    !isGlobal(action) &&
    asks.length > 0 &&
    !asksCount(action, rows) &&
    asks.every(
      ask =>
        !needsRoom.has(ask.kind) &&
        !ask.shown &&
        !(ask.check && asks.length > 1) &&
        !('given' in ask && ask.given),
    )
  )
}

/** What an empty line says where it is not the question itself. */
const placeholders: Partial<Record<Ask['kind'], Text>> = {
  money: ['金额（元）', 'Yuan'],
  time: ['2026-11-20 08:00', '2026-11-20 08:00'],
}
const inputModes: Partial<Record<Ask['kind'], 'decimal' | 'numeric'>> = {
  money: 'decimal',
  number: 'numeric',
}
type Choice = { key: string; title: string; value: unknown }
/**
 * An action's questions as steps of the palette: Enter goes on, Backspace on an empty line goes
 * back, the last Enter runs it and a refusal comes back to its question.
 */
export const Steps = ({
  offer,
  back,
  done,
}: {
  offer: Offer
  back: () => void
  done: () => void
}) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const asks = Object.entries(offer.action.asks ?? {})
  const [at, setAt] = useState(0)
  const [answers, setAnswers] = useState<Record<string, unknown>>({})
  const [code, setCode] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState('')
  const [pointed, setPointed] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const busy = useRef(false)
  const [name, ask] = asks[at]!
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [at, code])

  const keyword = ask.kind === 'entity' ? typed.trim() : ''
  const listed = useRead<any, any, any>(
    ask.kind === 'entity' ? ask.find : calls.welcome,
    ask.kind === 'entity' ? { keyword: keyword || undefined, page: 1, pageSize: 9 } : skipToken,
  )
  const offered = (): Choice[] => {
    if (ask.kind === 'reason' && code === null)
      return codesOf(ask).map(key => ({ key, title: say(reasonsOf(ask)[key]!), value: key }))
    if (ask.kind === 'choice')
      return Object.entries(ask.options).map(([key, text]) => ({
        key,
        title: say(text),
        value: key,
      }))
    if (ask.kind !== 'entity') return []
    return ((listed.data as { list: { id: number }[] } | undefined)?.list ?? []).map(row => ({
      key: String(row.id),
      title: ask.labelOf(row, now),
      value: row.id,
    }))
  }
  const all = offered()
  const choices =
    ask.kind === 'entity'
      ? all
      : all.filter(
          ({ title, key }, i) =>
            typed.trim() === '' ||
            plain(title).includes(plain(typed)) ||
            key.includes(plain(typed)) ||
            String(i + 1) === plain(typed),
        )

  const goOn = (value: unknown) => {
    const wrong = problem(ask, value)
    if (wrong) {
      setFault(say(...wrong))
      return
    }
    const next = { ...answers, [name]: value }
    setAnswers(next)
    setCode(null)
    setTyped('')
    setFault('')
    setPointed(0)
    if (at + 1 < asks.length) {
      setAt(at + 1)
      const [, following] = asks[at + 1]!
      const initial = following.initial?.(offer.rows)
      if (typeof initial === 'string') setTyped(initial)
      return
    }
    void send(next)
  }
  const send = async (given: Record<string, unknown>) => {
    if (busy.current) return
    busy.current = true
    const result = await desk.attempt(offer.action, offer.rows, given)
    busy.current = false
    if (result === true) {
      for (const tell of desk.ran) tell(offer.action.id)
      done()
      return
    }
    // A refusal goes back to the question it is about, with what was answered there.
    const wrong = asks.findIndex(([one]) => result.fields?.[one])
    const to = wrong >= 0 ? wrong : asks.length - 1
    const [toName, toAsk] = asks[to]!
    setAt(to)
    if (toAsk.kind === 'reason') {
      const was = given[toName] as { code: string; text: string }
      setCode(was.code)
      setTyped(was.text)
    } else if (typeof given[toName] === 'string' && toAsk.kind === 'text') setTyped(given[toName])
    setFault(
      result.fields?.[toName] ??
        result.message ??
        say(['没有完成，请重试', 'Not done, please retry']),
    )
  }
  const enter = () => {
    if (ask.kind === 'reason') {
      if (code !== null) goOn({ code, text: typed.trim() })
      else if (choices[pointed]) {
        setCode(choices[pointed].key)
        setTyped(choices[pointed].title)
        setFault('')
      } else setFault(say(['请选择一项', 'Choose one']))
      return
    }
    if (ask.kind === 'choice' || ask.kind === 'entity')
      goOn(typed.trim() === '' && ask.optional && pointed < 0 ? undefined : choices[pointed]?.value)
    else if (typed.trim() === '') goOn(undefined)
    else goOn(answerOf(ask, typed, now) ?? Number.NaN)
  }
  const stepBack = () => {
    setFault('')
    if (code !== null) {
      setCode(null)
      setTyped('')
    } else if (at > 0) {
      setAt(at - 1)
      setTyped('')
    } else back()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const digit = /^[1-9]$/.exec(event.key)
    if (event.key === 'Enter') enter()
    else if (event.key === 'Escape') done()
    else if (event.key === 'Backspace' && typed === '') stepBack()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setPointed(
        (pointed + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) %
          Math.max(1, choices.length),
      )
    else if (
      digit &&
      ask.kind === 'reason' &&
      code === null &&
      typed === '' &&
      choices[Number(digit[0]) - 1]
    ) {
      const choice = choices[Number(digit[0]) - 1]!
      setCode(choice.key)
      setTyped(choice.title)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const title = titleIn(offer.action, now)
  return (
    <div className="s-steps">
      <p className="s-steps-path">
        <b>{title}</b>
        {asks.slice(0, at).map(([key, past]) => (
          <span key={key}>{say(past.label)}</span>
        ))}
        <em>
          {say(ask.label)}
          {ask.optional ? say(['（选填）', ' (optional)']) : ''}
        </em>
        <small>
          {at + 1}/{asks.length}
        </small>
      </p>
      <input
        ref={input}
        cmdk-input=""
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setPointed(0)
          setFault('')
        }}
        onKeyDown={onKeyDown}
        aria-label={say(ask.label)}
        aria-invalid={fault !== ''}
        aria-describedby="steps-fault"
        placeholder={say(placeholders[ask.kind] ?? ask.label)}
        inputMode={inputModes[ask.kind]}
      />
      <div className="s-palette-dry">
        <DryRun action={offer.action} rows={offer.rows} />
      </div>
      <p id="steps-fault" className="s-steps-fault" role="alert">
        {fault}
      </p>
      {choices.length > 0 && code === null && (
        <div role="listbox" aria-label={say(ask.label)} className="s-steps-list">
          {choices.map((choice, i) => (
            <div
              key={choice.key}
              role="option"
              aria-selected={i === pointed}
              onPointerMove={() => setPointed(i)}
              onClick={() => {
                if (ask.kind === 'reason') {
                  setCode(choice.key)
                  setTyped(choice.title)
                } else goOn(choice.value)
              }}
            >
              {i < 9 && <kbd className="m-key">{i + 1}</kbd>}
              {choice.title}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
