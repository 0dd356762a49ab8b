import { BanCircle as Ban, Tick } from '@blueprintjs/icons'
import { afterSalesActions as actions, type ReasonsArranged } from '#commands/config/afterSales.ts'
import { faults, reasonTypes } from '#src/areas/afterSalePolicy/reason.ts'
import { switches } from '#src/areas/people/people.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { afterSaleReasons, type ReasonRow } from '../contract/afterSales.ts'

const states: States<'on' | 'off'> = {
  on: { text: switches.on, tone: 'good', icon: Tick },
  off: { text: switches.off, icon: Ban },
}
const Evidence = ({ row }: { row: ReasonRow }) => {
  const say = useSay()
  return row.need_evidence ? say(['须凭证', 'Needed']) : '—'
}
const reasonColumns: readonly Column<ReasonRow>[] = [
  { ...textColumn('text', ['原因', 'Reason'], 220), grow: true },
  wordColumn('fault', ['责任方', 'At fault'], 100, faults),
  {
    key: 'need_evidence',
    title: ['凭证', 'Evidence'],
    width: 84,
    cell: row => <Evidence row={row} />,
  },
  numberColumn('used', ['使用次数', 'Given'], 92),
  stateColumn('status', ['状态', 'State'], 92, states),
]
const reasonActions = [
  actions.addReason,
  actions.editReason,
  actions.sortReasons,
  actions.enableReason,
  actions.disableReason,
]
/** The reasons that the dialogs of cases offer. */
export const Reasons = () => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  const list = useList(afterSaleReasons.lst)
  const { type = 'refund' } = list.input
  const { data } = useRead(afterSaleReasons.lst, { type, pageSize: 1 })
  useAction(actions.sortReasons, () => {
    if (!data) return
    const entries = data.arranged.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: ReasonsArranged = { type, list_version: data.list_version, entries }
    void run(actions.sortReasons, [], { pane: pane.id, on })
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['售后原因', 'After-sale reasons'])}
        columns={reasonColumns}
        actions={reasonActions}
        tabs={{
          by: 'type',
          all: Object.entries(reasonTypes).map(([key, title]) => ({ key, title })),
        }}
        filters={
          <>
            <Keyword of={list} placeholder={say(['原因', 'Reason'])} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个原因', 'Choose a reason'])}>
        {row => (
          <Inspector title={row.text} aside={<State of={row.status} in={states} />}>
            <Section title={say(reasonTypes[row.type])}>
              <Facts>
                <Fact label={say(['责任方', 'At fault'])}>{say(faults[row.fault])}</Fact>
                <Fact label={say(['凭证', 'Evidence'])}>
                  {row.need_evidence ? say(['必须', 'Needed']) : say(['不要求', 'Not needed'])}
                </Fact>
                <Fact label={say(['使用次数', 'Given'])}>{row.used}</Fact>
              </Facts>
            </Section>
          </Inspector>
        )}
      </Chosen>
    </ListDetail>
  )
}
