import { Button, InputGroup } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import * as pages from '#commands/pages/system.ts'
import * as commands from '#commands/system/duty.ts'
import { verifyKinds } from '#src/areas/code/verifier.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Among } from '#src/kit/among.tsx'
import { Listed } from '#src/kit/cells.tsx'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { CityFilter } from '#src/kit/places.tsx'
import {
  Alarming,
  Badge,
  duration,
  Fact,
  Facts,
  Keys,
  Money,
  Section,
  Span,
  When,
} from '#src/kit/show.tsx'
import { Empty, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, useWorkbench } from '#src/kit/workbench.ts'
import { verify as calls, type VerifierRow } from '../contract/verify.ts'
import '../parts/duty.css'

type Row = VerifierRow
const Status = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.status === 'disabled')
    return <Badge title={row.status_reason ?? ''}>{say(['已停用', 'Off'])}</Badge>
  if (row.locked_until)
    return (
      <Badge tone="bad" title={say(['连续输错券码', 'Wrong codes'])}>
        {say(['锁定 {t}', 'Locked {t}'], { t: duration(row.locked_until - unixNow(), say) })}
      </Badge>
    )
  return row.bound ? (
    <Badge tone="good">{say(['在用', 'On'])}</Badge>
  ) : (
    <Badge tone="warn">{say(['未绑微信', 'No WeChat'])}</Badge>
  )
}
const odd = (n: number) => (n >= 5 ? <Alarming>{n}</Alarming> : <span className="m-num">{n}</span>)
const columns: readonly Column<Row>[] = [
  { key: 'name', title: ['核销员', 'Verifier'], width: 88, cell: row => row.name },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
  {
    key: 'stores',
    title: ['门店', 'Stores'],
    width: 180,
    grow: true,
    cell: row => <Listed of={row.stores.map(one => one.name)} />,
    words: (row, say) => row.stores.map(one => one.name).join(say(comma)),
  },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 160,
    optional: true,
    cell: row => row.merchant_name,
    words: row => row.merchant_name,
  },
  { key: 'city', title: ['城市', 'City'], width: 64, optional: true, cell: row => row.city_name },
  {
    key: 'today',
    title: ['今日次数', 'Today'],
    width: 68,
    align: 'end',
    cell: row => row.today_count,
  },
  {
    key: 'cents',
    title: ['今日金额', 'Amount'],
    width: 92,
    align: 'end',
    cell: row => <Money cents={row.today_cents} />,
  },
  {
    key: 'reversed',
    title: ['30 天撤销', 'Reversed 30 d'],
    width: 76,
    align: 'end',
    cell: row => odd(row.reversed_30d),
  },
  {
    key: 'far',
    title: ['30 天远离门店', 'Off-site 30 d'],
    width: 92,
    align: 'end',
    cell: row => odd(row.far_30d),
  },
  { key: 'last', title: ['最近核销', 'Last'], width: 100, cell: row => <When at={row.last_at} /> },
  { key: 'status', title: ['状态', 'State'], width: 110, cell: row => <Status row={row} /> },
]

const Clerk = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<Status row={row} />}>
      <Section title={say(['资料', 'Verifier'])}>
        <Facts>
          <Fact label={say(['手机号', 'Phone'])}>
            <span className="m-num">{row.phone ?? '—'}</span>
          </Fact>
          <Fact label={say(['微信', 'WeChat'])}>
            {row.bound
              ? say(['已绑定', 'Bound'])
              : say(['未绑定，不能扫码核销', 'Not bound, so no scanning'])}
          </Fact>
          <Fact label={say(['商户', 'Merchant'])}>{row.merchant_name}</Fact>
          <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
          <Fact wide label={say(['可核销', 'May redeem'])}>
            {row.kinds.map(kind => say(verifyKinds[kind])).join(say(comma))}
          </Fact>
          <Fact label={say(['每日次数', 'Daily times'])}>
            {row.daily_count_limit === null ? (
              say(['不限', 'No limit'])
            ) : (
              <span className="m-num">
                {row.today_count} / {row.daily_count_limit}
              </span>
            )}
          </Fact>
          <Fact label={say(['每日金额', 'Daily amount'])}>
            {row.daily_amount_limit_cents === null ? (
              say(['不限', 'No limit'])
            ) : (
              <Money cents={row.daily_amount_limit_cents} sign />
            )}
          </Fact>
          {row.status_reason && (
            <Fact wide label={say(['停用原因', 'Disabled because'])}>
              {row.status_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['门店', 'Stores'])}>
        <ul className="d-used">
          {row.stores.map(one => (
            <li key={one.id}>
              {one.name}
              {!one.open && <Badge tone="warn">{say(['未营业', 'Not open'])}</Badge>}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={say(['近期', 'Recently'])}>
        <Facts>
          <Fact label={say(['今日', 'Today'])}>
            <span className="m-num">{say(['{n} 次', '{n} redeemed'], { n: row.today_count })}</span>{' '}
            · <Money cents={row.today_cents} sign />
          </Fact>
          <Fact label={say(['最近核销', 'Last'])}>
            <When at={row.last_at} />
          </Fact>
          <Fact label={say(['30 天撤销', 'Reversed'])}>{odd(row.reversed_30d)}</Fact>
          <Fact label={say(['30 天远离门店', 'Far from the store'])}>{odd(row.far_30d)}</Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

type Seen = Result<typeof calls.lookupCode>
const Verdict = ({ of, code }: { of: Seen; code: string }) => {
  const say = useSay()
  const { run, me, keysOf } = useWorkbench()
  const redeem = () => void run(commands.verifyActions.verifyForStore, [], { asked: { code } })
  return (
    <p
      role="status"
      className={of.refusal ? 'd-verdict m-bad' : 'd-verdict'}
      data-tone={of.refusal ? 'bad' : 'good'}
    >
      {of.refusal ??
        say(['可以核销，剩余 {n} 次', 'It can be used, {n} left'], { n: of.uses_left })}
      {!of.refusal && me.can(commands.verifyActions.verifyForStore.permit) && (
        <Button size="small" intent="primary" onClick={redeem}>
          {say(['平台代核销', 'Redeem for the store'])}
          <Keys keys={keysOf(commands.verifyActions.verifyForStore.id)} />
        </Button>
      )}
    </p>
  )
}
/** A code by itself: whether it can be used, what for, where, and what it was used for. */
const LookedUp = ({
  code,
  of: { currentData: seen, error },
}: {
  code: string
  of: ReadState<Seen>
}) => {
  const say = useSay()
  if (code === '')
    return <Empty title={say(['输入顾客报出的券码', 'Type the code the customer reads out'])} />
  if (error)
    return (
      <Empty
        title={say(['没有这个券码，或不在你的数据范围内', 'No such code, or not in your places'])}
      >
        <p>
          {say([
            '请核对 0 与 O、1 与 I，或让顾客重新展示。',
            'Check 0 and O, 1 and I, or ask to see it again.',
          ])}
        </p>
      </Empty>
    )
  if (!seen) return <Loading />
  return (
    <>
      <Verdict of={seen} code={code} />
      <Section title={say(['券码', 'Code'])}>
        <Facts>
          <Fact label={say(['商品', 'Product'])}>{seen.product_title}</Fact>
          <Fact label={say(['订单', 'Order'])}>
            <span className="m-num">{seen.order_no}</span>
          </Fact>
          <Fact label={say(['商户', 'Merchant'])}>{seen.merchant_name}</Fact>
          <Fact label={say(['状态', 'State'])}>{seen.state}</Fact>
          <Fact label={say(['次数', 'Uses'])}>
            <span className="m-num">
              {seen.times_used} / {seen.times_total}
            </span>
          </Fact>
          <Fact label={say(['有效期', 'Valid'])}>
            <Span from={seen.valid_from} to={seen.valid_until} />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['适用门店', 'Stores that take it'])}>
        {seen.stores.length === 0 ? (
          <span className="m-bad">{say(['没有适用门店', 'None'])}</span>
        ) : (
          <ul className="d-used">
            {seen.stores.map(one => (
              <li key={one.id}>
                {one.name}
                {!one.open && <Badge tone="warn">{say(['未营业', 'Not open'])}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={say(['核销记录', 'Uses'])}>
        {seen.uses.length === 0 ? (
          <span className="m-muted">{say(['还没有使用过', 'Never used'])}</span>
        ) : (
          <Facts>
            {seen.uses.map((use, i) => (
              <Fact key={i} wide label={use.store}>
                <When at={use.at} /> {use.by} · {say(['{n} 次', '{n} times'], { n: use.times })}
                {use.reversed && <Badge>{say(['已撤销', 'Reversed'])}</Badge>}
              </Fact>
            ))}
          </Facts>
        )}
      </Section>
    </>
  )
}
/** The help desk: a code, what became of it, and in plain words why it can't be used. */
const Desk = ({
  code,
  setCode,
  close,
}: {
  code: string
  setCode: (code: string) => void
  close: () => void
}) => {
  const say = useSay()
  const [typed, setTyped] = useState(code)
  const input = useRef<HTMLInputElement>(null)
  const read = useRead(calls.lookupCode, code === '' ? skipToken : { code })
  return (
    <article
      className="m-inspector"
      aria-label={say(['查询券码', 'Look up a code'])}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          close()
        }
      }}
    >
      <header>
        <h3>{say(['查询券码', 'Look up a code'])}</h3>
        <InputGroup
          size="small"
          autoFocus
          inputRef={input}
          value={typed}
          maxLength={40}
          aria-label={say(['券码', 'Code'])}
          placeholder={say(['输入或扫描券码，回车查询', 'Type or scan, Enter'])}
          onValueChange={setTyped}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              setCode(typed.replace(/\s/g, ''))
              input.current?.select()
            }
          }}
        />
        <Button size="small" variant="minimal" onClick={close}>
          {say(['关闭', 'Close'])}
          <Keys keys="Esc" />
        </Button>
      </header>
      <LookedUp code={code} of={read} />
    </article>
  )
}

export default function Verifiers() {
  const say = useSay()
  const list = useList(calls.lst)
  const [code, setCode] = usePaneState<string | undefined>('code', undefined)
  useAction(commands.verifyActions.lookupCode, () => setCode(''))
  useAnswered(commands.verifyActions.lookupCode, answers =>
    setCode(String(answers.code).replace(/\s/g, '')),
  )
  useExport(commands.verifyActions.export, calls.export, { list })
  const clerk = list.focusedRow ? <Clerk row={list.focusedRow} /> : <Inspector title={undefined} />
  return (
    <ListDetail>
      <List
        of={list}
        label={say([pages.verify.title, pages.verify.en])}
        columns={columns}
        actions={Object.values(commands.verifyActions)}
        onOpen={row => {
          setCode(undefined)
          list.focus(row.id)
        }}
        filters={
          <>
            <Keyword of={list} placeholder={say(['姓名或完整手机号', 'Name or exact phone'])} />
            <CityFilter of={list} />
            <Among
              of={list}
              by="merchant_id"
              label={say(['商户', 'Merchant'])}
              find={calls.merchants}
              labelOf={row => row.name}
            />
            <Among
              of={list}
              by="store_id"
              label={say(['门店', 'Store'])}
              find={calls.stores}
              labelOf={row => row.name}
            />
            <Choice
              of={list}
              by="status"
              label={say(['状态', 'State'])}
              options={[
                { value: 'active', label: say(['在用', 'On']) },
                { value: 'disabled', label: say(['停用', 'Off']) },
              ]}
            />
            <Toggle of={list} by="odd" label={say(['异常多', 'Suspicious'])} />
          </>
        }
      />
      {code !== undefined ? (
        <Desk
          key={code === '' ? '' : 'code'}
          code={code}
          setCode={setCode}
          close={() => setCode(undefined)}
        />
      ) : (
        clerk
      )}
    </ListDetail>
  )
}
