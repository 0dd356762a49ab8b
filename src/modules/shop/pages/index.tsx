import { Confirm, Edit, Lock, Stopwatch, Tick } from '@blueprintjs/icons'
import { useCallback, useState } from 'react'
import { merchantActions } from '#commands/shop/merchant.ts'
import { auditStates } from '#src/areas/audit/audit.ts'
import {
  bankKinds,
  isEnding,
  isOver,
  merchantStates,
  settleCycles,
  type MerchantState,
} from '#src/areas/merchant/merchant.ts'
import { percent } from '#src/domain/money.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { numberColumn, State, stateColumn, textColumn, type States } from '#src/kit/cells.tsx'
import { useCounted } from '#src/kit/counted.ts'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { shopBank } from '../contract/bankCheck.ts'
import { shopIndex as calls, type MerchantRow } from '../contract/index.ts'
import { BankCheckFacts } from '../parts/bankCheck.tsx'

const states: States<MerchantState> = {
  draft: { text: merchantStates.draft, icon: Edit },
  auditing: { text: merchantStates.auditing, tone: 'info', icon: Stopwatch },
  active: { text: merchantStates.active, tone: 'good', icon: Tick },
  frozen: { text: merchantStates.frozen, tone: 'warn', icon: Lock },
  terminated: { text: merchantStates.terminated, icon: Confirm },
}
const SHOWN_S = 120

/** Until when something holds: over is red, ending soon is yellow. */
const Until = ({ at, none }: { at: number | null; none: string }) => {
  const now = unixNow()
  if (at === null) return none
  if (isOver(at, now)) return <Badge tone="bad">{dateOf(at)}</Badge>
  return isEnding(at, now) ? <Badge tone="warn">{dateOf(at)}</Badge> : dateOf(at)
}
const ContractUntil = ({ row }: { row: MerchantRow }) => <Until at={row.contract_end_at} none="—" />
const LicenceUntil = ({ row }: { row: MerchantRow }) => (
  <Until at={row.license_expire_at} none={useSay()(['长期', 'No expiry'])} />
)
const Rate = ({ row }: { row: MerchantRow }) => {
  const say = useSay()
  if (row.commission_bp === undefined) return '—'
  return (
    <>
      {percent(row.commission_bp)}
      {row.next_commission_bp != null && row.commission_from_at !== null && (
        <span className="m-muted">
          {say([' → {rate}，{day} 起', ' → {rate} from {day}'], {
            rate: percent(row.next_commission_bp),
            day: dateOf(row.commission_from_at),
          })}
        </span>
      )}
    </>
  )
}
const Account = ({ row }: { row: MerchantRow }) => {
  const say = useSay()
  if (row.bank_kind === null) return <Badge tone="warn">{say(['未登记', 'None'])}</Badge>
  return (
    <>
      {row.bank_name} <span className="m-num">{row.bank_no ?? '—'}</span>
    </>
  )
}

const columns: readonly Column<MerchantRow>[] = [
  { ...textColumn('name', ['商户', 'Merchant'], 180), grow: true },
  stateColumn('status', ['状态', 'State'], 84, states),
  textColumn('city_name', ['城市', 'City'], 64),
  textColumn('bd_name', ['BD', 'BD'], 72),
  {
    key: 'contract',
    title: ['合同到期', 'Contract until'],
    width: 108,
    cell: row => <ContractUntil row={row} />,
  },
  {
    key: 'rate',
    title: ['抽佣', 'Take rate'],
    width: 72,
    align: 'end',
    cell: row => (row.commission_bp === undefined ? '—' : percent(row.commission_bp)),
  },
  {
    key: 'stores',
    title: ['营业门店', 'Open stores'],
    width: 84,
    align: 'end',
    cell: row => `${row.open_store_count} / ${row.store_count}`,
  },
  numberColumn('on_sale_count', ['在售', 'On sale'], 60),
  {
    key: 'gmv',
    title: ['30 天成交', '30-day GMV'],
    width: 108,
    align: 'end',
    cell: row => <Money cents={row.gmv_30d_cents} />,
  },
  numberColumn('cases_30d', ['30 天售后', '30-day cases'], 84),
  {
    key: 'license',
    title: ['执照有效期', 'Licence until'],
    width: 108,
    cell: row => <LicenceUntil row={row} />,
    optional: true,
  },
  {
    key: 'account',
    title: ['结算账户', 'Account'],
    width: 200,
    cell: row => <Account row={row} />,
    optional: true,
  },
  { ...textColumn('merchant_no', ['商户号', 'Number'], 90), optional: true },
]

/** Shows what a freeze withholds and what keeps a merchant from being terminated. */
const Open = ({ row }: { row: MerchantRow }) => {
  const say = useSay()
  const effects = useRead(calls.effects, { id: row.id })
  return (
    <Section title={say(['履约与资金', 'Obligations and funds'])}>
      <Answer of={effects}>
        {of => (
          <Facts>
            <Fact label={say(['未核销券码', 'Unredeemed codes'])}>{of.codes}</Fact>
            <Fact label={say(['未完成订单', 'Open orders'])}>{of.orders}</Fact>
            <Fact label={say(['处理中售后', 'Open cases'])}>{of.refunds}</Fact>
            <Fact label={say(['保证金', 'Deposit'])}>
              <Money cents={of.deposit_cents} sign />
            </Fact>
            <Fact
              label={
                row.status === 'frozen'
                  ? say(['暂扣结算款', 'Withheld'])
                  : say(['待结算', 'To settle'])
              }
            >
              <Money cents={of.unsettled_cents} sign />
            </Fact>
            <Fact label={say(['未提现', 'Unpaid'])}>
              <Money cents={of.balance_cents} sign />
            </Fact>
          </Facts>
        )}
      </Answer>
    </Section>
  )
}
/** Shows whether the settlement account was proved to be the merchant's. */
const BankCheck = ({ id }: { id: number }) => {
  const say = useSay()
  const standing = useRead(shopBank.bankStanding, { id })
  return (
    <Section title={say(['账户验证', 'Account check'])}>
      <Answer of={standing}>{of => <BankCheckFacts of={of} />}</Answer>
    </Section>
  )
}
const MerchantDetail = ({ row }: { row: MerchantRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={states} />}>
      <Section title={say(['主体', 'Legal entity'])}>
        <Facts>
          {row.status_reason && (
            <Fact wide label={say(['状态原因', 'Why'])}>
              {row.status_reason}
            </Fact>
          )}
          {row.applied && (
            <Fact label={say(['申请', 'Application'])}>{say(auditStates[row.applied])}</Fact>
          )}
          <Fact wide label={say(['信用代码', 'Credit code'])}>
            {row.license_no ?? '—'}
          </Fact>
          <Fact label={say(['执照有效期', 'Licence until'])}>
            <LicenceUntil row={row} />
          </Fact>
          <Fact label={say(['法人', 'Legal person'])}>{row.legal_name}</Fact>
          <Fact label={say(['联系人', 'Contact'])}>{row.contact_name ?? '—'}</Fact>
          <Fact label={say(['联系电话', 'Phone'])}>{row.contact_phone ?? '—'}</Fact>
          <Fact label={say(['商户号', 'Number'])}>{row.merchant_no}</Fact>
          <Fact label={say(['BD', 'BD'])}>{row.bd_name || say(['无', 'None'])}</Fact>
        </Facts>
      </Section>
      <Section title={say(['合同与结算', 'Contract and settlement'])}>
        <Facts>
          <Fact label={say(['合同到期', 'Contract until'])}>
            <ContractUntil row={row} />
          </Fact>
          <Fact label={say(['抽佣比例', 'Take rate'])}>
            <Rate row={row} />
          </Fact>
          <Fact label={say(['结算周期', 'Settlement'])}>{say(settleCycles[row.settle_cycle])}</Fact>
          <Fact label={say(['账户类型', 'Account type'])}>
            {row.bank_kind ? say(bankKinds[row.bank_kind]) : '—'}
          </Fact>
          <Fact wide label={say(['结算账户', 'Account'])}>
            <Account row={row} />
          </Fact>
        </Facts>
      </Section>
      {row.bank_kind !== null && <BankCheck id={row.id} />}
      <Open row={row} />
    </Inspector>
  )
}

/** What is told once or in clear, until it hides by itself. */
const useTold = (list: { rows: readonly MerchantRow[] }) => {
  const [told, setTold] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setTold(undefined), [])
  const nameOf = (id: number) => list.rows.find(one => one.id === id)?.name ?? ''
  useResult(merchantActions.revealBank, ({ id, holder, bank_name, bank_no, seconds, left }) =>
    setTold({
      label: ['结算账户', 'Account'],
      of: nameOf(id),
      value: [holder, bank_name, bank_no].filter(Boolean).join(' '),
      seconds,
      left,
    }),
  )
  useResult(merchantActions.resetPassword, ({ id, initial_password }) => {
    if (initial_password !== null)
      setTold({
        label: ['商家端初始密码', 'App password'],
        of: nameOf(id),
        value: initial_password,
        seconds: SHOWN_S,
        left: 0,
        note: [
          '{n} 秒后自动隐藏，之后无法再查看。请交给商户，首次登录须修改。',
          'Hidden in {n} s and never shown again. Give it to the merchant; it must be changed at first sign-in.',
        ],
      })
  })
  return told && <RevealDialog of={told} close={hide} />
}

/** Merchants, with what ends, what is missing and what they sell. */
export default function Merchants() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, merchantStates)
  const bds = useRead(calls.bds, { owning: true, pageSize: 200 }).data?.list ?? []
  useCounted(merchantActions.freeze, calls.effects)
  useCounted(merchantActions.unfreeze, calls.effects)
  useCounted(merchantActions.terminate, calls.effects)
  useExport(merchantActions.export, calls.export, { list })
  useResult(merchantActions.freeze, ({ taken_off }) => {
    toast(
      say(['已冻结，下架 {n} 件商品', 'Frozen, {n} products taken off sale'], { n: taken_off }),
      'success',
    )
    return true
  })
  useResult(merchantActions.unfreeze, ({ given_back }) => {
    toast(
      say(['已解冻，{n} 件商品恢复在售', 'Unfrozen, {n} products back on sale'], { n: given_back }),
      'success',
    )
    return true
  })
  const told = useTold(list)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['商户列表', 'Merchants'])}
          columns={columns}
          actions={Object.values(merchantActions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['名称、商户号、信用代码', 'Name, number, credit code'])}
              />
              <CityFilter of={list} />
              <Choice
                of={list}
                by="bd_admin_id"
                label={say(['BD', 'BD'])}
                options={[
                  { value: 0, label: say(['无 BD', 'Without BD']) },
                  ...bds.map(one => ({ value: one.id, label: one.name })),
                ]}
              />
              <Toggle
                of={list}
                by="contract_ending"
                label={say(['合同将到期', 'Contract ending'])}
              />
              <Toggle
                of={list}
                by="license_expiring"
                label={say(['执照将到期', 'Licence expiring'])}
              />
              <Toggle of={list} by="no_bank" label={say(['无结算账户', 'No account'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个商户', 'Choose a merchant'])}>
          {row => <MerchantDetail row={row} />}
        </Chosen>
      </ListDetail>
      {told}
    </>
  )
}
