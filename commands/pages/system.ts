import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import type { LoginRow } from '#src/modules/system/contract/loginLogs.ts'
import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'system',
  title: '系统',
  en: 'System',
  place: 10,
  icon: 'setup',
  setup: true,
}

export const dataIndex = page(
  '/manage/system/dataIndex',
  '经营数据总览',
  'Operations data overview',
  { follows: followsBy('city_id'), keys: 'g s d', alias: ['总览', '大盘', 'dashboard', 'GMV'] },
)
export const report = page('/manage/system/report', '经营报表订阅', 'Scheduled reports', {
  object: 'report_sub',
  keys: 'g s p',
  alias: ['日报', '周报', 'subscription'],
})
export const department = page('/manage/system/department', '部门管理', 'Departments', {
  object: 'department',
  keys: 'g s o',
  alias: ['组织架构', 'organisation'],
})
export const role = page('/manage/system/role', '角色权限', 'Roles and permissions', {
  object: 'role',
  keys: 'g s r',
  alias: ['权限', 'rights'],
})
export const staff = page('/manage/system/staff', '员工账号', 'Staff accounts', {
  object: 'admin',
  keys: 'g s s',
  keepAlive: true,
  alias: ['后台员工', 'admin accounts'],
})
export const menu = page('/manage/system/menu', '运营后台菜单', 'Operations console menu', {
  object: 'menu',
  alias: ['左侧菜单', 'left menu'],
})
export const menuKey = page('/manage/system/menuKey', '系统字段管理', 'System field keys', {
  object: 'field_key',
  alias: ['脱敏', 'masking'],
})
export const bulksMenu = page('/manage/system/bulksMenu', '商家端菜单', 'Merchant app menu', {
  object: 'merchant_menu',
  alias: ['灰度', 'gray release'],
})
export const city = page('/manage/system/city', '城市管理', 'Cities', {
  object: 'city',
  keys: 'g s c',
  alias: ['开城', 'open a city'],
})
export const cityConfig = page('/manage/system/city/config', '城市配置', 'City settings', {
  object: row => {
    if ('city_id' in row) return ['city_setting', row.id]
    return ['settings' in row ? 'city_settings' : 'city_hot_mall', row.id]
  },
  menu: false,
  search: z.looseObject({ city_id: id }),
  follows: ({ type, id: at }) => (type === 'city' ? { city_id: at } : undefined),
})
export const banner = page('/manage/system/banner', '轮播图管理', 'Banners', {
  object: 'banner',
  keys: 'g s b',
  alias: ['banner', 'carousel'],
})
export const hlink = page('/manage/system/hlink', '页面链接库', 'Page link library', {
  object: 'page_link',
  keys: 'g s l',
  alias: ['跳转', 'jump targets'],
})
export const share = page('/manage/system/share', '分享卡片设置', 'Share card settings', {
  object: 'share_card',
  alias: ['转发', 'sharing'],
})
export const customer = page('/manage/system/customer', '客服渠道设置', 'Service contacts', {
  object: 'service_contact',
  alias: ['客服电话', 'hotline'],
})
export const rules = page('/manage/system/rules', '协议与规则文本', 'Agreements and rules', {
  object: 'agreement',
  keys: 'g s t',
  alias: ['隐私政策', '用户协议', 'privacy', 'terms'],
})
export const h5link = page('/manage/system/h5link', 'H5推广短链', 'H5 promo links', {
  object: 'h5_link',
  keys: 'g s h',
  alias: ['推广链接', 'short links'],
})
export const live = page('/manage/system/live', '直播间管理', 'Live rooms', {
  object: 'live_room',
  keepAlive: true,
  keys: 'g s z',
  alias: ['直播', 'live commerce'],
})
export const liveForm = page('/manage/system/live/edit', '编辑直播间', 'Edit live room', {
  object: row => ['live_room', row.room_id ?? row.id],
  menu: false,
})
export const logs = page('/manage/system/logs', '后台操作日志', 'Operation log', {
  keys: 'g l o',
  keepAlive: true,
  alias: ['审计日志', '谁改的', 'audit trail'],
  search: z.looseObject({
    object_type: z.string().optional(),
    object_id: id.optional(),
    field: z.string().optional(),
  }),
  follows: given => ({ object_type: given.type, object_id: given.id, field: '' }),
})
export const exportLogs = page('/manage/system/exportLogs', '文件导出记录', 'Export jobs', {
  object: 'export_job',
  keys: 'g l e',
  alias: ['导出任务', '下载中心'],
})
export const loginLogs = page('/manage/system/loginLogs', '后台登录日志', 'Sign-in log', {
  object: (row: LoginRow) => (row.admin_id === null ? undefined : ['admin', row.admin_id]),
  keys: 'g l i',
  alias: ['登录记录', '封禁', 'login'],
})
export const history = page('/manage/system/history', '用户浏览记录', 'Member browsing history', {
  follows: followsBy('member_id'),
  keepAlive: true,
  alias: ['点击日志', 'click log'],
})
export const buyLimitLog = page(
  '/manage/system/buyLimitLog',
  '限购拦截记录',
  'Purchase-limit blocks',
  {
    follows: followsBy('member_id'),
    object: 'buy_limit_log',
    keepAlive: true,
    alias: ['为什么买不了'],
  },
)
export const risk = page('/manage/system/risk', '平台风控中心', 'Risk control centre', {
  object: ({ kind, id: at }: { kind?: string; id: number }) => [
    { rule: 'risk_rule', entry: 'risk_list' }[kind ?? ''] ?? 'risk_hit',
    at,
  ],
  keys: 'g s k',
  keepAlive: true,
  alias: ['风险命中', '黑名单', '白名单', '风控规则', 'blacklist', 'fraud'],
})
export const verify = page('/manage/system/verify', '核销员管理', 'Verifiers', {
  object: 'verifier',
  keys: 'g s v',
  keepAlive: true,
  alias: ['查券码', '代核销', 'redeem'],
})
export const group = page('/manage/system/group', '通知群组', 'Notification groups', {
  object: 'notify_group',
  keys: 'g s n',
  alias: ['值班', '群机器人', 'duty', 'roster'],
})
export const warning = page('/manage/system/warning', '预警规则', 'Warning rules', {
  object: 'warning_rule',
  keys: 'g s w',
  alias: ['告警', 'alarm'],
})
export const warningLogs = page('/manage/system/warning/logs', '预警记录', 'Warning log', {
  follows: followsBy('city_id'),
  object: 'warning_log',
  keys: 'g s a',
  keepAlive: true,
  alias: ['告警处理', 'alarms'],
})
