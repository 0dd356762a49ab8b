import { Button, HTMLSelect, NumericInput } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { channelActions } from '#commands/ecard/channel.ts'
import { ISSUE_MOST, unitCost } from '#src/areas/ecard/channel.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { aside, semicolon } from '#src/domain/text.ts'
import { base64Of } from '#src/kit/base64.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useWrite } from '#src/kit/data.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { Badge, Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { ecardChannels as calls, type ChannelCard, type ChannelRow } from '../contract/channel.ts'

type Lines = Result<typeof calls.readReceivers>['lines']
type Issued = Result<typeof calls.issueBatch>
type Props = { row: ChannelRow; done: (issued: Issued) => void; close: () => void }

/** The cost of the cards beside what the channel has: it is said before anything is done. */
const Cost = ({ row, card, n }: { row: ChannelRow; card: ChannelCard; n: number }) => {
  const say = useSay()
  const cost = n * unitCost(card.price_cents, card.discount_bp)
  const have = row.balance_cents + row.credit_cents
  const left = card.quota_n - card.issued_n
  return (
    <p role="status">
      {say(
        [
          '{n} 张 × {each} 元 = {cost} 元；可用 {have} 元，额度剩余 {left} 张。',
          '{n} cards × ¥{each} = ¥{cost}; available ¥{have}, quota left {left}.',
        ],
        {
          n: n.toLocaleString(),
          each: yuan(unitCost(card.price_cents, card.discount_bp)),
          cost: yuan(cost),
          have: yuan(have),
          left: left.toLocaleString(),
        },
      )}{' '}
      {cost > have && (
        <Badge tone="bad">
          {say(['差 {n} 元，请先充值', '¥{n} short: top up first'], { n: yuan(cost - have) })}
        </Badge>
      )}{' '}
      {n > left && <Badge tone="bad">{say(['超出额度', 'Over quota'])}</Badge>}
    </p>
  )
}
/** The faults of a file, line by line; the good lines are counted. */
const Read = ({ lines }: { lines: Lines }) => {
  const say = useSay()
  const bad = lines.filter(one => one.fault)
  return (
    <>
      <p role="status">
        {say(['{n} 行可发', '{n} lines ready'], { n: lines.length - bad.length })}
        {bad.length > 0 && (
          <>
            {' '}
            <Badge tone="bad">
              {say(['{n} 行有误，不会发卡', '{n} lines have errors and will be skipped'], {
                n: bad.length,
              })}
            </Badge>
          </>
        )}
      </p>
      {bad.length > 0 && (
        <div tabIndex={0} role="region" aria-label={say(['有误的行', 'Wrong lines'])}>
          <SmallTable
            head={[
              ['行', 'Line'],
              ['姓名', 'Name'],
              ['手机号', 'Mobile'],
              ['问题', 'Problem'],
            ]}
            rows={bad.slice(0, 50)}
            keyOf={one => one.row}
            cells={one => [
              one.row,
              one.name || '—',
              one.phone || '—',
              <span key="fault" className="m-bad">
                {one.fault}
              </span>,
            ]}
          />
        </div>
      )}
    </>
  )
}
/** The cards that are to be issued, and the state of their issue. */
const useIssue = ({ row, done, close }: Props) => {
  const say = useSay()
  const [read, { isLoading: reading }] = useWrite(calls.readReceivers)
  const [issue, { isLoading: issuing }] = useWrite(calls.issueBatch)
  const [attr, setAttr] = useState(row.cards.find(one => one.sold)?.attr_id ?? 0)
  const [typed, setTyped] = useState(1)
  const [lines, setLines] = useState<Lines | undefined>(undefined)
  const [fault, setFault] = useState('')
  const card = row.cards.find(one => one.attr_id === attr)
  const good = lines?.filter(one => !one.fault)
  const n = good ? good.reduce((sum, one) => sum + one.n, 0) : typed
  const trying = async (run: () => Promise<void>) => {
    setFault('')
    try {
      await run()
    } catch (error) {
      const { message, fields } = await refusedBy(error, {})
      setFault(message ?? Object.values(fields ?? {}).join(say(semicolon)))
    }
  }
  const take = (file: File | undefined) => {
    if (!file) return
    void trying(async () => {
      const receiver_file = await base64Of(file)
      const told = await read({ id: row.id, receiver_file }, { quiet: true })
      if (told.fault) setFault(told.fault)
      setLines(told.fault ? undefined : told.lines)
    })
  }
  const go = () =>
    void trying(async () => {
      const receivers = good?.map(({ name, phone, n: each }) => ({ name, phone, n: each })) ?? []
      const input_ = { id: row.id, version: row.version, attr_id: attr, receivers }
      done(await issue({ ...input_, ...(!good && { n: typed }) }, { quiet: true }))
      close()
    })
  return { attr, setAttr, typed, setTyped, lines, fault, card, good, n, take, go, reading, issuing }
}
type Choosing = Pick<ReturnType<typeof useIssue>, 'attr' | 'setAttr' | 'typed' | 'setTyped'>
const stacked = { display: 'grid', gap: 4, marginBottom: 12 } as const
/** Which card, and how many where no file says so. */
const Choose = ({ row, of, counted }: { row: ChannelRow; of: Choosing; counted: boolean }) => {
  const say = useSay()
  return (
    <>
      <label style={stacked}>
        {say(['可售卡', 'Card'])}{' '}
        <HTMLSelect
          fill
          data-autofocus={counted ? true : undefined}
          value={of.attr}
          onChange={event => of.setAttr(Number(event.target.value))}
          options={row.cards.map(one => ({
            value: one.attr_id,
            label: one.sold
              ? one.name
              : `${one.name}${say(aside, { it: say(['已下架', 'off sale']) })}`,
            disabled: !one.sold,
          }))}
        />
      </label>
      {counted && (
        <label style={stacked}>
          {say(['数量（没有收卡人文件时）', 'Quantity (without a file)'])}{' '}
          <NumericInput
            min={1}
            max={ISSUE_MOST}
            value={of.typed}
            onValueChange={value => of.setTyped(Math.min(ISSUE_MOST, Math.max(1, value || 1)))}
          />
        </label>
      )}
    </>
  )
}
/** Cards for a channel: a number of them, or for each receiver of a file. */
export const IssueCards = (props: Props) => {
  const { row, close } = props
  const say = useSay()
  const lang = useLang()
  const input = useRef<HTMLInputElement>(null)
  const { lines, fault, card, n, take, go, reading, issuing, ...of } = useIssue(props)
  return (
    <Window
      title={`${titleIn(channelActions.issueBatch, lang)} · ${row.name}`}
      close={close}
      width={640}
      stage={`${reading} ${lines?.length ?? ''}`}
      actions={
        <>
          <Button icon={<Document />} loading={reading} onClick={() => input.current?.click()}>
            {say(['选择收卡人文件', 'Choose a recipient file'])}
          </Button>
          <Button
            data-autofocus={lines ? true : undefined}
            intent="primary"
            loading={issuing}
            disabled={!card || n < 1}
            onClick={go}
          >
            {say(['发 {n} 张', 'Issue {n}'], { n: n.toLocaleString() })}
            <Keys keys={lines ? '↵' : 'Ctrl ↵'} />
          </Button>
        </>
      }
    >
      <div
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          go()
        }}
      >
        <Choose row={row} of={of} counted={lines === undefined} />
        <p className="m-muted">
          {say([
            '文件（.xlsx、.csv，2 MB、2000 行内）的列：姓名、手机号、数量；数量留空为 1。卡密在加密文件里交付。',
            'File columns (.xlsx or .csv, up to 2 MB, 2000 lines): name, mobile, quantity (empty is 1). Secrets come in an encrypted file.',
          ])}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.csv,.txt"
          aria-label={say(['收卡人文件', 'Recipient file'])}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            take(file)
          }}
        />
        {lines && <Read lines={lines} />}
        {card && <Cost row={row} card={card} n={n} />}
        {fault && (
          <div className="m-error" role="alert">
            {fault}
          </div>
        )}
      </div>
    </Window>
  )
}
