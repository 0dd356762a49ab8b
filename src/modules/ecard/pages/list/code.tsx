import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { codeActions as actions, codeViewActions, codeViews } from '#commands/ecard/codes.ts'
import { cardTypes, codeSources, codeStates, type CodeState } from '#src/areas/ecard/ecard.ts'
import { yuan } from '#src/domain/money.ts'
import {
  moneyColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
} from '#src/kit/cells.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { FileWindow } from '#src/kit/file-window.tsx'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Turns } from '#src/kit/turns.tsx'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { codes as calls, type CodeRow } from '../../contract/code.ts'
import { Batches } from '../../parts/Batches.tsx'
import { stateLooks } from '../../parts/codeLooks.ts'
import '../../parts/code.css'

const columns: readonly Column<CodeRow>[] = [
  {
    key: 'card_no',
    title: ['卡号', 'Card number'],
    width: 190,
    grow: true,
    words: row => row.card_no ?? '',
    cell: row => <span className="m-num">{row.card_no ?? '—'}</span>,
  },
  moneyColumn('face_cents', ['面值', 'Face'], 92),
  stateColumn('state', ['状态', 'State'], 88, stateLooks),
  moneyColumn('balance_cents', ['余额', 'Balance'], 92),
  { ...textColumn('batch_no', ['批次', 'Batch'], 96), priority: 3 },
  { ...textColumn('holder', ['持卡人', 'Holder'], 100), priority: 2 },
  { ...textColumn('order_no', ['订单', 'Order'], 170), priority: 2 },
  { ...textColumn('channel_name', ['渠道', 'Channel'], 110), priority: 4 },
  { ...timeColumn('valid_until', ['有效期至', 'Valid until'], 104), priority: 3 },
  { ...timeColumn('sold_at', ['售出时间', 'Sold'], 104), optional: true },
  { ...timeColumn('activated_at', ['激活时间', 'Activated'], 104), optional: true },
  { ...numberColumn('id', ['编号', 'ID'], 72), optional: true },
]
const Trail = ({ row }: { row: CodeRow }) => {
  const say = useSay()
  const trail = useRead(calls.trail, { id: row.id })
  const here = useRef<HTMLDivElement>(null)
  useAction(actions.trace, () => {
    here.current?.scrollIntoView({ block: 'nearest' })
    here.current?.focus()
  })
  const title = say(['流转记录', 'History'])
  return (
    <Section title={title}>
      <div ref={here} tabIndex={-1} role="group" aria-label={title}>
        <Answer of={trail}>
          {({ list, face_cents, spent_cents, balance_cents }) => (
            <>
              {row.activated_at !== null && (
                <p className="m-num">
                  {say(
                    [
                      '余额 {left} = 面值 {face} − 净消费 {spent}',
                      'Balance {left} = face value {face} − spent {spent}',
                    ],
                    {
                      left: yuan(balance_cents),
                      face: yuan(face_cents),
                      spent: yuan(spent_cents),
                    },
                  )}
                </p>
              )}
              <SmallTable
                head={[
                  ['时间', 'When'],
                  ['事项', 'What'],
                  ['金额', 'Amount'],
                  ['余额', 'Balance'],
                  ['备注', 'Note'],
                ]}
                rows={list}
                keyOf={step => step.id}
                cells={step => [
                  <When key="at" at={step.at} />,
                  step.what,
                  step.amount_cents === null ? '—' : <Money key="n" cents={step.amount_cents} />,
                  step.balance_after_cents === null ? (
                    '—'
                  ) : (
                    <Money key="b" cents={step.balance_after_cents} />
                  ),
                  [step.by, step.note].filter(Boolean).join(' · ') || '—',
                ]}
              />
            </>
          )}
        </Answer>
      </div>
    </Section>
  )
}
const CodeDetail = ({ row }: { row: CodeRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.card_no ?? `#${row.id}`} aside={<State of={row.state} in={stateLooks} />}>
      <Section title={say(['卡密', 'Code'])}>
        <Facts>
          <Fact label={say(['面值', 'Face'])}>
            <Money cents={row.face_cents} sign />
          </Fact>
          <Fact label={say(['余额', 'Balance'])}>
            <Money cents={row.balance_cents} sign />
          </Fact>
          <Fact label={say(['批次', 'Batch'])}>{row.batch_no}</Fact>
          <Fact label={say(['有效期至', 'Valid until'])}>
            {row.valid_until === null ? (
              say(['长期有效', 'No expiry'])
            ) : (
              <When at={row.valid_until} />
            )}
          </Fact>
          {row.before_freeze !== null && (
            <Fact label={say(['冻结前', 'State before freezing'])}>
              {say(codeStates[row.before_freeze])}
            </Fact>
          )}
          {row.frozen_at !== null && (
            <Fact label={say(['冻结', 'Frozen'])}>
              {row.frozen_by_name} <When at={row.frozen_at} />
            </Fact>
          )}
          {row.reason && (
            <Fact wide label={say(['原因', 'Why'])}>
              {row.reason}
            </Fact>
          )}
          {row.shown_at !== null && (
            <Fact label={say(['卡密查看于', 'Secret viewed'])}>
              <When at={row.shown_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['购买与持有', 'Bought and held'])}>
        <Facts>
          <Fact label={say(['订单', 'Order'])}>{row.order_no || '—'}</Fact>
          <Fact label={say(['渠道', 'Channel'])}>{row.channel_name || '—'}</Fact>
          <Fact label={say(['持卡人', 'Holder'])}>{row.holder || '—'}</Fact>
          <Fact label={say(['手机号', 'Phone'])}>{row.phone || '—'}</Fact>
        </Facts>
      </Section>
      <Trail row={row} />
    </Inspector>
  )
}

/** Tells what became of codes: at once, or in a job. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  return ({ done, bad = 0, job_id }: { done: number; bad?: number; job_id: number | null }) => {
    const n = done.toLocaleString()
    if (job_id !== null)
      toast(
        say([
          '已开始，进度与取消在右上角“我的任务与导出”',
          'Started: see progress in My jobs and exports, top right',
        ]),
        'success',
      )
    else if (bad > 0)
      toast(
        say(
          [
            '入库 {n} 张，{bad} 行未导入，原因见“批次”',
            '{n} added to stock; {bad} lines not imported, see Batches',
          ],
          {
            n,
            bad,
          },
        ),
        'warning',
      )
    else toast(say(['已入库 {n} 张', '{n} added to stock'], { n }), 'success')
    return true
  }
}
/** Begins what the page was opened for, once it is ready; coming back to it begins nothing. */
const useOpened = (ready: boolean, begin: () => void): void => {
  const search = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const wanted = ready && search.has('import')
  search.delete('import')
  const rest = `?${search}`
  const latest = useRef({ begin, navigate })
  useEffect(() => {
    latest.current = { begin, navigate }
  })
  useEffect(() => {
    if (!wanted) return
    latest.current.navigate(rest, { replace: true })
    latest.current.begin()
  }, [wanted, rest])
}
type Importing = { attr_id: number; reason: string }
/**
 * The answers that the actions of the page are given with the card of its address, and how they
 * tell.
 */
const useCodeActions = (card: { card_id: number; name: string }): ReactNode => {
  const say = useSay()
  const lang = useLang()
  const pane = usePane()
  const { run } = useWorkbench()
  const told = useTold()
  const [send] = useWrite(calls.importCodes)
  const [importing, setImporting] = useState<Importing | undefined>(undefined)
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  const asked = (action: typeof actions.generate | typeof actions.importCodes) => () =>
    void run(action, [], { pane: pane.id, on: card })
  useAction(actions.generate, asked(actions.generate))
  useAction(actions.importCodes, asked(actions.importCodes))
  useOpened(card.name !== '', asked(actions.importCodes))
  useResult(actions.generate, told)
  useAnswered(actions.importCodes, of => setImporting(of as Importing))
  useResult(actions.revealSecret, ({ id, secret_code: value, seconds, left }) => {
    if (value) setRevealed({ label: ['卡密', 'Secret'], of: `#${id}`, value, seconds, left })
    return true
  })
  return (
    <>
      {revealed && <RevealDialog of={revealed} close={() => setRevealed(undefined)} />}
      {importing && (
        <FileWindow
          title={titleIn(actions.importCodes, lang)}
          label={say(['卡密文件', 'File of codes'])}
          accept=".txt,.csv"
          send={async secret_file =>
            told(await send({ ...importing, secret_file }, { quiet: true }))
          }
          close={() => setImporting(undefined)}
        >
          <p>
            {say([
              '文本文件（.txt 或 .csv），每行“卡号,卡密”，最多 50,000 行；大小写、空格与连字符不计。',
              'A text file (.txt or .csv) with “number,secret” per line, up to 50,000; case, spaces and hyphens are ignored.',
            ])}
          </p>
          <p className="m-muted">
            {say([
              '格式不符、文件内重复或已在库中的行不导入，行号与原因列在批次里；改正后只导入这些行即可。',
              'Malformed, repeated or stocked lines are not imported; the batch lists them with reasons. Fix and import only those.',
            ])}
          </p>
        </FileWindow>
      )}
    </>
  )
}

const Codes = ({ card_id }: { card_id: number }) => {
  const say = useSay()
  const list = useList(
    calls.lst,
    useMemo(() => ({ card_id }), [card_id]),
  )
  const stock = useRead(calls.stock, { card_id })
  useExport(actions.export, calls.export, { list })
  const stat = stock.data?.stat
  const all = stat && Object.values(stat).reduce((sum, n) => sum + n, 0)
  const tabs = {
    by: 'state',
    all: [
      { key: '', title: ['全部', 'All'] as const, ...(all !== undefined && { count: all }) },
      ...(Object.keys(codeStates) as CodeState[]).map(key => ({
        key,
        title: codeStates[key],
        ...(stat && { count: stat[key] ?? 0 }),
      })),
    ],
  }
  const faces = Object.fromEntries(
    (stock.data?.faces ?? []).map(face => {
      const text = yuan(face.face_cents)
      return [String(face.id), [`${text} 元`, `¥${text}`] as const]
    }),
  )
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['卡密', 'Codes'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['完整卡号或后 4 位', 'Card number or last 4'])} />
            <Choice of={list} by="attr_id" label={say(['面值', 'Face'])} words={faces} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一张卡', 'Choose a code'])}>
        {row => <CodeDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}

/** The card that the codes are of, and which of the two views is shown. */
const Stock = ({ card_id }: { card_id: number }) => {
  const say = useSay()
  const card = useRead(calls.stock, { card_id }).data
  const dialogs = useCodeActions({ card_id, name: card?.name ?? '' })
  return (
    <>
      <Turns
        words={codeViews}
        actions={codeViewActions}
        draw={{
          codes: () => <Codes card_id={card_id} />,
          batches: () => <Batches card_id={card_id} />,
        }}
        keep={{ card_id }}
        aside={
          card && (
            <span className="ec-card">
              <b>{card.name}</b>{' '}
              <span className="m-muted">
                {say(cardTypes[card.type])} · {say(codeSources[card.source])}
              </span>
            </span>
          )
        }
      />
      {dialogs}
    </>
  )
}

/** The stock of codes of the card of `?card_id=`. */
export default function CodeStock() {
  const say = useSay()
  const card_id = Number(new URLSearchParams(useSearch()).get('card_id'))
  return Number.isInteger(card_id) && card_id > 0 ? (
    <Stock key={card_id} card_id={card_id} />
  ) : (
    <Empty title={say(['没有指定电子卡', 'No e-card named'])} />
  )
}
