import { bannerServer } from './server/banner.ts'
import bulksMenu from './server/bulksMenu.ts'
import buyLimitLog from './server/buyLimitLog.ts'
import { cityServer } from './server/city.ts'
import { citySettingsServer } from './server/citySettings.ts'
import { customerServer } from './server/customer.ts'
import dataIndex from './server/dataIndex.ts'
import department from './server/department.ts'
import exportLogs from './server/exportLogs.ts'
import group from './server/group.ts'
import { h5linkServer } from './server/h5link.ts'
import history from './server/history.ts'
import { hlinkServer } from './server/hlink.ts'
import { liveServer } from './server/live.ts'
import { liveEditServer } from './server/liveEdit.ts'
import loginLogs from './server/loginLogs.ts'
import logs from './server/logs.ts'
import menu from './server/menu.ts'
import menuKey from './server/menuKey.ts'
import report from './server/report.ts'
import risk from './server/risk.ts'
import role from './server/role.ts'
import { rulesServer } from './server/rules.ts'
import { shareServer } from './server/share.ts'
import staff from './server/staff.ts'
import verify from './server/verify.ts'
import warning from './server/warning.ts'

export default [
  cityServer,
  citySettingsServer,
  bannerServer,
  hlinkServer,
  shareServer,
  customerServer,
  rulesServer,
  h5linkServer,
  liveServer,
  liveEditServer,
  dataIndex,
  report,
  risk,
  verify,
  group,
  ...warning,
  department,
  role,
  staff,
  menu,
  menuKey,
  bulksMenu,
  logs,
  exportLogs,
  loginLogs,
  history,
  buyLimitLog,
]
