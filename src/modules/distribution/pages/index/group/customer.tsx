import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { groupCustomerActions as actions } from '#commands/distribution/groupCustomers.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import { Inspector, NoneYet } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Section } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { groupCustomers as calls, type GroupCustomerRow } from '../../../contract/groupCustomers.ts'
import { AssignSheet } from '../../../parts/AssignSheet.tsx'
import { CustomerDetail } from '../../../parts/CustomerDetail.tsx'
import { CustomerFilters } from '../../../parts/CustomerFilters.tsx'
import { customerColumns } from '../../../parts/customerLooks.tsx'
import { stateTabs, useTransferTold } from '../../../parts/told.ts'
import '../../../parts/customers.css'

const columns = customerColumns.filter(one => one.key !== 'role')
type Members = { name: string; customers: number; asleep: number }[]
const ByMember = ({ team, members }: { team: string; members: Members }) => {
  const say = useSay()
  return (
    <Inspector title={team}>
      <Section title={say(['成员客户分布', 'Customers by member'])}>
        <Chart
          label={say(['每位成员的客户', 'Customers of each member'])}
          categories={members.map(one => one.name)}
          format={value => value.toLocaleString('en')}
          step={1}
          lying
          series={[
            {
              name: say(['客户', 'Customers']),
              kind: 'bar',
              values: members.map(one => one.customers),
            },
            {
              name: say(['沉睡', 'Inactive']),
              kind: 'bar',
              values: members.map(one => one.asleep),
            },
          ]}
        />
      </Section>
    </Inspector>
  )
}
type Told = Parameters<typeof ByMember>[0]
/** The customer in focus, or how the customers are spread. */
const Beside = ({
  list,
  told,
  spread,
}: {
  list: ListState<GroupCustomerRow>
  told: Told | undefined
  spread: boolean
}) => {
  const { focusedRow: row } = list
  if (told && (spread || !row)) return <ByMember {...told} />
  if (!row) return <NoneYet of={list} />
  return <CustomerDetail key={row.id} row={row} calls={calls} history={actions.viewHistory} />
}
const Customers = ({ group_id }: { group_id: number }) => {
  const say = useSay()
  const fixed = useMemo(() => ({ group_id }), [group_id])
  const list = useList(calls.lst, fixed)
  const { data: told } = useRead(calls.byMember, fixed)
  const [chosen, setChosen] = useState<number[]>()
  const [spread, setSpread] = usePaneState('spread', false)
  useExport(actions.export, calls.export, { list })
  useTransferTold(actions.transfer)
  useDetailAction(actions.byMember, () => setSpread(!spread))
  useAction(actions.averageAssign, (rows: readonly { id: number }[]) =>
    setChosen(rows.map(row => row.id)),
  )
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['团队客户', 'Customers of the team'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={stateTabs}
          onOpen={row => {
            setSpread(false)
            list.focus(row.id)
          }}
          aside={told && <span className="m-muted">{told.team}</span>}
          filters={
            <>
              <Choice
                of={list}
                by="distributor_id"
                label={say(['成员', 'Member'])}
                options={(told?.members ?? []).map(one => ({ value: one.id, label: one.name }))}
              />
              <CustomerFilters of={list} role={false} />
            </>
          }
        />
        <Beside list={list} told={told} spread={spread} />
      </ListDetail>
      {chosen && told && (
        <AssignSheet
          of={{ group_id, ids: chosen }}
          members={told.members}
          close={() => {
            setChosen(undefined)
            list.clear()
          }}
        />
      )}
    </>
  )
}
/** The customers of a team's members: who has how many, and whom nobody serves. */
export default function TeamCustomers() {
  const say = useSay()
  const group_id = Number(new URLSearchParams(useSearch()).get('group_id'))
  return group_id > 0 ? (
    <Customers key={group_id} group_id={group_id} />
  ) : (
    <Empty title={say(['没有指定团队', 'No team is named'])} />
  )
}
