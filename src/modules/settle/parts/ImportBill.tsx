import { Button, InputGroup } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useId, useRef, useState, type RefObject } from 'react'
import { billChannels } from '#src/areas/reconcile/reconcile.ts'
import type { Result } from '#src/contract/call.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { semicolon } from '#src/domain/text.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { base64Of } from '#src/kit/base64.ts'
import { useWrite } from '#src/kit/data.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { Badge, Fact, Facts, Keys, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { recon as calls } from '../contract/recon.ts'

type Told = Result<typeof calls.readBill>
/** What a file comes to, before anything of it is written. */
const Read = ({ of }: { of: Told }) => {
  const say = useSay()
  if (of.fault !== null)
    return (
      <div className="m-error" role="alert">
        {of.fault}
      </div>
    )
  return (
    <div role="status">
      <Facts>
        <Fact label={say(['渠道', 'Channel'])}>{of.channel && say(billChannels[of.channel])}</Fact>
        <Fact label={say(['笔数', 'Count'])}>
          {of.rows.toLocaleString()}{' '}
          {of.duplicates > 0 && (
            <Badge tone="warn">
              {say(['其中 {n} 笔已导入，不会覆盖', '{n} are known and stay as they are'], {
                n: of.duplicates,
              })}
            </Badge>
          )}
        </Fact>
        <Fact label={say(['收入', 'In'])}>
          <Money cents={of.in_cents} />
        </Fact>
        <Fact label={say(['支出', 'Out'])}>
          <Money cents={of.out_cents} />
        </Fact>
        <Fact label={say(['手续费', 'Fees'])}>
          <Money cents={of.fee_cents} />
        </Fact>
      </Facts>
    </div>
  )
}
type Day = { day: string; isDay: boolean; change: (day: string) => void }
const DayField = ({ day, isDay, change }: Day) => {
  const say = useSay()
  const fault = useId()
  return (
    <label className="st-day">
      {say(['账单日', 'Day'])}
      <InputGroup
        aria-label={say(['账单日', 'Day'])}
        aria-invalid={!isDay}
        aria-describedby={fault}
        value={day}
        maxLength={10}
        onValueChange={change}
      />
      <span id={fault} className={isDay ? 'm-muted' : 'm-bad'}>
        {isDay
          ? say(['北京时间，已结束的一天', 'A day that is over, by Beijing time'])
          : say(['日期写法如 2026-11-26', 'A day such as 2026-11-26'])}
      </span>
    </label>
  )
}
/** The forms of bills that are understood. */
const Forms = () => {
  const say = useSay()
  return (
    <p className="m-muted">
      {say([
        '微信支付交易账单、资金账单（原文件或 .gz），或银行流水 CSV：交易时间、流水号、收入金额、支出金额、余额、对方户名、用途。不完整、跨日或含错误行的账单整份拒收。',
        'A trade or fund bill of WeChat Pay as it was downloaded (or .gz), or a CSV of the bank. A bill that is cut off, of another day or with a wrong line is refused as a whole.',
      ])}
    </p>
  )
}
type Chooser = { of: RefObject<HTMLInputElement | null>; take: (file: File | undefined) => void }
const BillFile = ({ of, take }: Chooser) => (
  <input
    ref={of}
    type="file"
    hidden
    accept=".csv,.txt,.gz"
    aria-label={useSay()(['账单文件', 'File of the bill'])}
    onChange={event => {
      const [file] = event.target.files ?? []
      event.target.value = ''
      take(file)
    }}
  />
)
type Props = { day: string; close: () => void; done: (day: string) => void }
/** Takes a bill of a channel: it is read and shown first, and written once that is confirmed. */
export const ImportBill = ({ day: begun, close, done }: Props) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const input = useRef<HTMLInputElement>(null)
  const [day, setDay] = useState(begun || dateOf(unixNow() - DAY))
  const [told, setTold] = useState<Told | undefined>(undefined)
  const [refused, setRefused] = useState('')
  const [read, { isLoading: reading }] = useWrite(calls.readBill)
  const [write, { isLoading: writing }] = useWrite(calls.importBill)
  const isDay = momentNamed(day) !== undefined
  const ready = told?.bill_id ?? undefined
  const tellRefused = async (error: unknown) => {
    const { message, fields } = await refusedBy(error)
    setRefused(message ?? Object.values(fields ?? {}).join(say(semicolon)))
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    setRefused('')
    setTold(undefined)
    await read({ day, bill_file: await base64Of(file) }).then(setTold, tellRefused)
  }
  const go = async () => {
    if (ready === undefined) return input.current?.click()
    try {
      const { added, duplicates, open } = await write({ bill_id: ready })
      toast(
        say(['已导入 {n} 笔，重复 {m} 笔，{open} 项待处理', '{n} new, {m} known, {open} open'], {
          n: added,
          m: duplicates,
          open,
        }),
        open === 0 ? 'success' : 'warning',
      )
      done(day)
      return close()
    } catch (error) {
      return tellRefused(error)
    }
  }
  return (
    <Window
      title={say(['导入账单', 'Import a bill'])}
      close={close}
      width={620}
      stage={`${ready} ${reading}`}
      actions={
        <Button
          data-autofocus
          intent="primary"
          icon={ready === undefined ? <Document /> : undefined}
          loading={reading || writing}
          disabled={!isDay}
          onClick={() => void go()}
        >
          {ready === undefined ? say(['选择文件', 'Choose a file']) : say(['导入', 'Import'])}
          <Keys keys="↵" />
        </Button>
      }
    >
      <DayField
        day={day}
        isDay={isDay}
        change={next => {
          setDay(next)
          setTold(undefined)
        }}
      />
      <Forms />
      <BillFile of={input} take={file => void take(file)} />
      {told && <Read of={told} />}
      {refused && (
        <div className="m-error" role="alert">
          {refused}
        </div>
      )}
    </Window>
  )
}
