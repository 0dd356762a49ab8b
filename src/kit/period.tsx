import { Button, InputGroup } from '@blueprintjs/core'
import { Calendar } from '@blueprintjs/icons'
import { useId, useState, type KeyboardEvent } from 'react'
import { beginOf, usualDays } from '#src/areas/workbench/view.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { unixOf } from './asks.ts'
import { Popover } from './popover.tsx'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import type { Filtered } from './uselist.ts'
import './period.css'

/**
 * A filter from one Shanghai day to another, in the address under the names given (unix seconds, or
 * a word for days that end today). The button says the period; behind it the digits 1 to 4 choose a
 * usual one, and days are typed. `most` is the longest, in days; `usual` says what no period means.
 */
export const Period = ({
  of,
  from,
  to,
  most,
  usual,
}: {
  of: Filtered
  from: string
  to: string
  most: number
  usual: Text
}) => {
  const say = useSay()
  const base = useId()
  const input = of.input as Record<string, number | undefined>
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState({ from: '', to: '' })
  const [fault, setFault] = useState<Text | undefined>(undefined)
  const [given, until] = [input[from], input[to]]
  const now = unixNow()
  const preset =
    given === undefined
      ? undefined
      : usualDays.find(
          one =>
            beginOf(one.key, now) === given &&
            (until === undefined || until === dayStart(now) + DAY - 1),
        )
  const isUsual = given === undefined && until === undefined
  const named = isUsual ? usual : preset?.title
  const shown = named
    ? say(named)
    : `${given === undefined ? '…' : dateOf(given)} – ${until === undefined ? say(['现在', 'now']) : dateOf(until)}`
  const show = (next: boolean) => {
    if (next) {
      setTyped({
        from: given === undefined ? '' : dateOf(given),
        to: until === undefined ? '' : dateOf(until),
      })
      setFault(undefined)
    }
    setOpen(next)
  }
  const set = (at: number | string | undefined, end: number | undefined) => {
    of.filter({ [from]: at, [to]: end })
    setOpen(false)
  }
  const choose = (index: number) => {
    const one = usualDays.filter(each => each.days <= most)[index]
    if (one) set(one.key, undefined)
  }
  const apply = () => {
    const [first, last] = [
      typed.from.trim() ? unixOf(typed.from) : undefined,
      typed.to.trim() ? unixOf(typed.to) : undefined,
    ]
    if ((typed.from.trim() && first === undefined) || (typed.to.trim() && last === undefined))
      return setFault(['请输入日期，如 2026-11-20', 'A day such as 2026-11-20'])
    const end = last === undefined ? undefined : dayStart(last) + DAY - 1
    if (first !== undefined && (end ?? unixNow()) < first)
      return setFault(['结束不能早于开始', 'It ends before it begins'])
    if (first !== undefined && (end ?? unixNow()) - first > most * DAY)
      return setFault([`最多 ${most} 天`, `At most ${most} days`])
    // An end alone means as long as may be before it.
    return set(first ?? (end === undefined ? undefined : end + 1 - most * DAY), end)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const inText = event.target instanceof HTMLInputElement
    const digit = /^(?:Digit|Numpad)([1-4])$/.exec(event.code)?.[1]
    if (event.key === 'Enter' && inText) apply()
    else if (digit && !inText && !event.ctrlKey && !event.metaKey && !event.altKey)
      choose(Number(digit) - 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Popover
      isOpen={open}
      show={show}
      placement="bottom-start"
      content={
        <div
          className="m-period"
          role="group"
          aria-label={say(['时间范围', 'Period'])}
          onKeyDown={onKeyDown}
        >
          <div className="m-period-usual">
            {usualDays
              .filter(one => one.days <= most)
              .map((one, i) => (
                <Button
                  key={one.title[0]}
                  size="small"
                  variant={one === preset ? 'solid' : 'minimal'}
                  autoFocus={i === 0}
                  onClick={() => choose(i)}
                >
                  {say(one.title)}
                  <Keys keys={String(i + 1)} />
                </Button>
              ))}
          </div>
          <div className="m-period-days">
            <InputGroup
              size="small"
              aria-label={say(['开始日期', 'From'])}
              placeholder="2026-11-20"
              value={typed.from}
              aria-invalid={fault !== undefined}
              aria-describedby={`${base}-fault`}
              onValueChange={next => setTyped({ ...typed, from: next })}
            />
            <span>–</span>
            <InputGroup
              size="small"
              aria-label={say(['结束日期', 'To'])}
              placeholder={say(['现在', 'now'])}
              value={typed.to}
              aria-invalid={fault !== undefined}
              aria-describedby={`${base}-fault`}
              onValueChange={next => setTyped({ ...typed, to: next })}
            />
            <Button size="small" intent="primary" onClick={apply}>
              {say(['确定', 'Apply'])}
            </Button>
          </div>
          <div className="m-period-foot">
            <span
              id={`${base}-fault`}
              role={fault ? 'alert' : undefined}
              className={fault ? 'm-bad' : 'm-muted'}
            >
              {say(fault ?? [`最多 ${most} 天`, `At most ${most} days`])}
            </span>
            <Button size="small" variant="minimal" onClick={() => set(undefined, undefined)}>
              {say(['恢复默认', 'Back to default'])}
            </Button>
          </div>
        </div>
      }
    >
      <Button
        size="small"
        variant="outlined"
        icon={<Calendar />}
        aria-label={say(['时间范围：{shown}', 'Period: {shown}'], { shown })}
        text={<span className="m-num">{shown}</span>}
        active={given !== undefined || until !== undefined}
      />
    </Popover>
  )
}
