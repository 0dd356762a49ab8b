import audit from '#src/modules/audit/server.ts'
import exports from '#src/modules/export/server.ts'
import home from '#src/modules/home/server.ts'
import job from '#src/modules/job/server.ts'
import mall from '#src/modules/mall/server.ts'
import order from '#src/modules/order/server.ts'
import practice from '#src/modules/practice/server.ts'
import session from '#src/modules/session/server.ts'
import system from '#src/modules/system/server.ts'
import undo from '#src/modules/undo/server.ts'
import view from '#src/modules/view/server.ts'
import workbench from '#src/modules/workbench/server.ts'
import type { Implementation } from '#src/server/call/implement.ts'

/** The server's half of every module; only serve.ts reads it. */
export const implementations: readonly Implementation<any>[] = [
  session,
  home,
  ...system,
  ...audit,
  ...mall,
  ...order,
  practice,
  exports,
  job,
  undo,
  view,
  workbench,
]
