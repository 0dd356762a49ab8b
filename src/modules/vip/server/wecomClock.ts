import { cancelMasses } from '#src/areas/wecom/massCancel.server.ts'
import { followMasses, sendMasses } from '#src/areas/wecom/massSending.server.ts'
import { runSyncs } from '#src/areas/wecom/syncing.server.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { followTransfers, sendTransfers } from '#src/areas/wecom/transferring.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

const MIRROR = ['wecom_department', 'wecom_staff', 'wecom_customer', 'wecom_group', 'wecom_tag']
/** Runs that were asked for begin within seconds, and go on after a crash from where they stood. */
defineTimer(
  'wecom.sync',
  '* * * * *',
  async ({ database, install, now }) =>
    (await runSyncs({ database, client: install.wecom, now })) > 0 ? [...MIRROR, 'wecom_run'] : [],
  ['wecom_sync'],
)
/** What was decided here is written to WeCom. */
defineTimer(
  'wecom.tasks',
  '* * * * *',
  async ({ database, install, now }) =>
    (await runTasks({ database, client: install.wecom, now })) > 0
      ? ['wecom_customer', 'wecom_staff']
      : [],
  ['wecom_task'],
)
/** Hand-overs are sent, and asked about until WeCom says what became of them. */
defineTimer(
  'wecom.transfers',
  '* * * * *',
  async ({ database, install, now }) => {
    const of = { database, client: install.wecom, now }
    const sent = await sendTransfers(of)
    const ended = await followTransfers(of)
    return sent + ended > 0 ? ['wecom_staff', 'wecom_customer', 'wecom_group'] : []
  },
  ['wecom_transfer'],
)
/** Texts to many are asked for at their time, taken back or read until all is known. */
defineTimer(
  'wecom.masses',
  '* * * * *',
  async ({ database, install, now }) => {
    const { wecom: client, picture, origin } = install
    const of = { database, client, picture, origin, now }
    const n = (await cancelMasses(of)) + (await sendMasses(of)) + (await followMasses(of))
    return n > 0 ? ['wecom_customer', 'wecom_send'] : []
  },
  ['wecom_send'],
)
