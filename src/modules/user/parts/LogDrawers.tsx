import { accountStates } from '#src/areas/member/member.ts'
import { ONLINE_DAYS, SHARED_MOST, TIMELINE_MOST, userDeeds } from '#src/areas/userLog/userLog.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { SharedAccounts, Timeline } from '../contract/log.ts'
import { StateOf } from './accountLooks.tsx'
import { About, Risk, Who } from './deedLooks.tsx'

type Told<T> = { of: T; close: () => void }
const WIDTH = 760

/** What one member did, the last first, and by which devices. */
export const TimelineDrawer = ({ of, close }: Told<Timeline>) => {
  useReturnFocus()
  const say = useSay()
  const name = of.nickname || `#${of.member_id}`
  return (
    <Drawer
      isOpen
      onClose={close}
      size={WIDTH}
      title={say(['{name} 的时间线', 'Timeline of {name}'], { name })}
    >
      <article className="m-inspector" tabIndex={0} aria-label={say(['时间线', 'Timeline'])}>
        <Section title={say(['范围', 'Range'])}>
          <p className="m-muted">
            {say(
              of.cut
                ? [
                    '近 {days} 天，只列出最近 {n} 条；更早的请按时间段导出',
                    'Last {days} days, latest {n} only: export a period for earlier ones',
                  ]
                : [
                    '近 {days} 天的全部行为，查看已记入操作日志',
                    'All activity in {days} days; viewing is logged',
                  ],
              { days: ONLINE_DAYS, n: TIMELINE_MOST },
            )}
          </p>
        </Section>
        {of.devices.length > 0 && of.devices[0]!.client_device !== undefined && (
          <Section title={say(['用过的设备', 'Devices used'])}>
            <SmallTable
              head={[
                ['设备', 'Device'],
                ['行为数', 'Activities'],
                ['最近', 'Last'],
              ]}
              rows={of.devices}
              keyOf={one => one.client_device ?? one.last_at}
              cells={one => [one.client_device, one.deeds, <When key="at" at={one.last_at} />]}
            />
          </Section>
        )}
        <Section title={say(['行为', 'Activities'])}>
          <SmallTable
            head={[
              ['时间', 'Time'],
              ['行为', 'Activity'],
              ['内容', 'Details'],
              ['IP · 设备', 'IP · device'],
              ['风险', 'Risk'],
            ]}
            rows={of.list}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.at} />,
              say(userDeeds[one.kind]),
              <About key="about" of={one.detail} />,
              [one.client_ip, one.client_device].filter(Boolean).join(' · ') || '—',
              <Risk key="risk" of={one.risk} />,
            ]}
          />
        </Section>
      </article>
    </Drawer>
  )
}
/** Accounts that one device or one address was used by. */
export const SharedDrawer = ({ of, close }: Told<SharedAccounts>) => {
  useReturnFocus()
  const say = useSay()
  const value = (of.by === 'device' ? of.client_device : of.client_ip) ?? ''
  return (
    <Drawer
      isOpen
      onClose={close}
      size={WIDTH}
      title={say(
        of.by === 'device'
          ? ['同设备账号', 'Accounts on the device']
          : ['同 IP 账号', 'Accounts on the IP'],
      )}
    >
      <article className="m-inspector" tabIndex={0} aria-label={say(['账号', 'Accounts'])}>
        <Section title={value || say(['账号', 'Accounts'])}>
          <p>
            {say(
              of.cut
                ? [
                    '近 {days} 天超过 {n} 个账号，只列出最近的 {n} 个',
                    'More than {n} accounts in {days} days: the last {n} are listed',
                  ]
                : ['近 {days} 天共 {all} 个账号', '{all} accounts in {days} days'],
              { days: ONLINE_DAYS, n: SHARED_MOST, all: of.list.length },
            )}
          </p>
          <SmallTable
            head={[
              ['会员', 'Member'],
              ['会员号', 'Number'],
              ['账号状态', 'Account'],
              ['行为数', 'Activities'],
              ['最高风险', 'Highest risk'],
              ['首次', 'First'],
              ['最近', 'Last'],
            ]}
            rows={of.list}
            keyOf={one => one.member_id}
            cells={one => [
              <Who key="who" of={one} />,
              one.uid || '—',
              one.account_state === 'canceled' ? (
                say(accountStates.canceled)
              ) : (
                <StateOf key="state" row={one} />
              ),
              one.deeds,
              <Risk key="risk" of={one.risk} />,
              <When key="first" at={one.first_at} />,
              <When key="last" at={one.last_at} />,
            ]}
          />
        </Section>
      </article>
    </Drawer>
  )
}
