import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import * as commands from '#commands/home.ts'
import { warningLogs as page } from '#commands/pages/system.ts'
import { isHigher, warningLevels } from '#src/areas/notice/warning.ts'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { Badge, Keys, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { warningLogs, type AlarmRow } from '#src/modules/system/contract/warning.ts'
import { Panel } from './Panel.tsx'

const MOST = 6
const tones: Readonly<Record<AlarmRow['level'], ToneName>> = {
  serious: 'bad',
  warn: 'warn',
  info: 'info',
}
/** The most serious first, and of the same level the newest. */
const bySeverity = (rows: readonly AlarmRow[]): AlarmRow[] =>
  [...new Map(rows.map(row => [row.id, row])).values()].sort((a, b) => {
    if (isHigher(a.level, b.level)) return -1
    return isHigher(b.level, a.level) ? 1 : b.fired_at - a.fired_at
  })

/** Alarms that nobody acknowledged yet: acknowledged on the spot, the first of them by key. */
export const Alarms = ({ filter }: { filter: { city_id?: number } }) => {
  const say = useSay()
  const { me, keysOf } = useWorkbench()
  const may = me.can(warningLogs.ack.permit)
  const asked = { state: 'open' as const, pageSize: MOST, ...filter }
  const seen = me.can(warningLogs.lst.permit)
  // Many new ones must not hide a serious one that is older.
  const serious = useRead(
    warningLogs.lst,
    seen ? { ...asked, level: 'serious' as const } : skipToken,
  )
  const newest = useRead(warningLogs.lst, seen ? asked : skipToken)
  const [ack] = useWrite(warningLogs.ack)
  const [busy, setBusy] = useState<number | undefined>(undefined)
  const rows = bySeverity([...(serious.data?.list ?? []), ...(newest.data?.list ?? [])]).slice(
    0,
    MOST,
  )
  const take = (row: AlarmRow | undefined) => {
    if (!row || busy !== undefined) return
    setBusy(row.id)
    ack({ id: row.id, version: row.version })
      .catch(() => {})
      .finally(() => setBusy(undefined))
  }
  useAction(commands.ackWarning, () => take(rows[0]))
  if (!newest.data) return null
  return (
    <Panel title={say(['待确认的预警', 'Alarms to acknowledge'])}>
      {rows.length === 0 && (
        <p className="m-muted">{say(['没有待确认的预警。', 'No alarm waits.'])}</p>
      )}
      <ul className="h-alarms">
        {rows.map((row, i) => (
          <li key={row.id}>
            <Badge tone={tones[row.level]}>{say(warningLevels[row.level])}</Badge>
            <Link href={to(page, { state: 'open', rule_id: row.rule_id })}>
              {row.rule_name}
              {row.place && ` · ${row.place}`}
            </Link>
            <When at={row.fired_at} />
            {may && (
              <Button size="small" loading={busy === row.id} onClick={() => take(row)}>
                {say(['确认', 'Acknowledge'])}
                {i === 0 && <Keys keys={keysOf(commands.ackWarning.id)} />}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
