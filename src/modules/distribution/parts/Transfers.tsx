import { transferActions as actions } from '#commands/distribution/customer.ts'
import { bindingAskStates, bindingRoles } from '#src/areas/binding/binding.ts'
import { State, stateColumn, textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { transfers as calls, type TransferRow } from '../contract/customer.ts'
import { askLooks } from './customerLooks.tsx'

const columns: readonly Column<TransferRow>[] = [
  timeColumn('created_at', ['申请时间', 'Requested'], 112),
  stateColumn('state', ['状态', 'State'], 96, askLooks),
  { ...textColumn('name', ['客户', 'Customer'], 130), grow: true },
  wordColumn('role', ['身份', 'Role'], 64, bindingRoles),
  textColumn('from', ['原分销员', 'From'], 100),
  textColumn('to', ['转给', 'To'], 100),
  { ...textColumn('reason', ['原因', 'Reason'], 180), grow: true, priority: 2 },
  textColumn('maker', ['申请人', 'Requested by'], 90),
  { ...textColumn('checker', ['复核人', 'Decided by'], 90), priority: 1 },
]
const TransferDetail = ({ row }: { row: TransferRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.state} in={askLooks} />}>
      <Section title={say(['转移', 'Transfer'])}>
        <Facts>
          <Fact label={say(['原分销员', 'From'])}>{row.from}</Fact>
          <Fact label={say(['转给', 'To'])}>{row.to}</Fact>
          <Fact label={say(['身份', 'Role'])}>{say(bindingRoles[row.role])}</Fact>
          <Fact label={say(['保护期至', 'Protected until'])}>
            <When at={row.protect_until} />
          </Fact>
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['申请与复核', 'Request and decision'])}>
        <Facts>
          <Fact label={say(['申请人', 'Requested by'])}>{row.maker}</Fact>
          <Fact label={say(['申请时间', 'When'])}>
            <When at={row.created_at} />
          </Fact>
          {row.checker && <Fact label={say(['复核人', 'Decided by'])}>{row.checker}</Fact>}
          {row.decided_at !== null && (
            <Fact label={say(['复核时间', 'Decided'])}>
              <When at={row.decided_at} />
            </Fact>
          )}
          {row.reject_reason && (
            <Fact wide label={say(['驳回原因', 'Why it was rejected'])}>
              {row.reject_reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Transfers within the protection time, which another person than asked for them decides. */
export const Transfers = () => {
  const say = useSay()
  const list = useList(calls.asks)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['转移复核', 'Transfers to approve'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <Choice of={list} by="state" label={say(['状态', 'State'])} words={bindingAskStates} />
        }
        empty={
          <Empty title={say(['没有转移申请', 'No transfer requests'])}>
            <p>
              {say([
                '保护期内的客户转移须由另一人复核，申请会出现在这里。',
                'Transfers of protected customers need approval by another person and appear here.',
              ])}
            </p>
          </Empty>
        }
      />
      <Chosen of={list} none={say(['选择一份申请', 'Choose a request'])}>
        {row => <TransferDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
