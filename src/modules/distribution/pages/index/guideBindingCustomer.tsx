import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { guideCustomerActions as actions } from '#commands/distribution/guideCustomers.ts'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { guideCustomers as calls, type GuideCustomerRow } from '../../contract/guideCustomers.ts'
import { Compare } from '../../parts/Compare.tsx'
import { CustomerDetail } from '../../parts/CustomerDetail.tsx'
import { CustomerFilters } from '../../parts/CustomerFilters.tsx'
import { customerColumns, Sleeping } from '../../parts/customerLooks.tsx'
import { stateTabs, useTransferTold } from '../../parts/told.ts'
import '../../parts/customers.css'

const without = ['seller', 'role', 'paid_cents']
const columns: readonly Column<GuideCustomerRow>[] = [
  ...customerColumns.filter(one => !without.includes(one.key)),
  {
    key: 'inside',
    title: ['本店消费', 'In the store'],
    width: 96,
    align: 'end',
    cell: row => <Money cents={row.inside_cents} />,
  },
  {
    key: 'outside',
    title: ['店外消费', 'Elsewhere'],
    width: 96,
    align: 'end',
    priority: 2,
    cell: row => <Money cents={row.outside_cents} />,
  },
  {
    key: 'asleep',
    title: ['沉睡', 'Inactive'],
    width: 72,
    priority: 1,
    cell: row => <Sleeping row={row} />,
  },
]
const Customers = ({ guide }: { guide: number }) => {
  const say = useSay()
  const fixed = useMemo(() => ({ distributor_id: guide }), [guide])
  const list = useList(calls.lst, fixed)
  const { data: of } = useRead(calls.guide, { id: guide })
  const [comparing, setComparing] = usePaneState('comparing', false)
  useExport(actions.export, calls.export, { list })
  useTransferTold(actions.transfer)
  useDetailAction(actions.compare, () => setComparing(!comparing))
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['导购绑定客户', 'Customers of the guide'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={stateTabs}
        filters={<CustomerFilters of={list} role={false} />}
        aside={
          of && (
            <span className="m-muted" title={of.store}>
              {say(['{name}：{n} 位客户', '{name}: {n} customers'], {
                name: of.name,
                n: of.customer_count,
              })}
            </span>
          )
        }
      />
      <Chosen of={list} none={say(['选择一位客户', 'Choose a customer'])}>
        {row => (
          <CustomerDetail key={row.id} row={row} calls={calls} history={actions.viewHistory}>
            {comparing && <Compare id={row.id} />}
            <Section title={say(['店内与店外', 'In store and elsewhere'])}>
              <Facts>
                <Fact label={say(['本店消费', 'In the store'])}>
                  <Money cents={row.inside_cents} sign />
                </Fact>
                <Fact label={say(['店外消费', 'Elsewhere'])}>
                  <Money cents={row.outside_cents} sign />
                </Fact>
              </Facts>
            </Section>
          </CustomerDetail>
        )}
      </Chosen>
    </ListDetail>
  )
}
/** The customers of one guide: how they came, where they buy, and who disputes them. */
export default function GuideCustomers() {
  const say = useSay()
  const guide = Number(new URLSearchParams(useSearch()).get('id'))
  return guide > 0 ? (
    <Customers key={guide} guide={guide} />
  ) : (
    <Empty title={say(['没有指定导购', 'No guide is named'])} />
  )
}
