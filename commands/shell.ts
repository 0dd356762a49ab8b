import { CHANNELS } from '#src/areas/workbench/layout.ts'
import { layouts as layoutCalls } from '#src/modules/workbench/contract.ts'
import { action, ask } from './command.ts'
import { home } from './pages/home.ts'
import { signIn } from './pages/session.ts'

const say = (verb: string, title: string, en: string, key?: string, alias?: readonly string[]) =>
  action(`workbench.${verb}`, {
    title,
    en,
    at: home,
    ...(key ? { key } : {}),
    ...(alias ? { alias } : {}),
  })

/**
 * What the workbench itself can do, whichever page is in front. Their keys belong to every page, so
 * no page may take one, nor begin a sequence with `w` or `g`.
 */
export const palette = say('palette', '打开命令面板', 'Open the palette', 'mod+k', [
  '搜索',
  'search',
])
export const commandPalette = say(
  'commandPalette',
  '打开命令面板（只列操作）',
  'Open the palette, actions only',
  'mod+shift+p',
)
export const shortcuts = say('shortcuts', '键盘快捷键', 'Keyboard shortcuts', '?', ['帮助', 'help'])
export const bindKeys = say('bindKeys', '自定义快捷键', 'Customise shortcuts', undefined, [
  '键盘设置',
  '改键',
  '快捷键方案',
  '我的快捷键',
  'keyboard settings',
  'rebind',
])
export const keyCard = say('keyCard', '打印快捷键卡片', 'Print the shortcut card', undefined, [
  '速查卡',
  'cheat sheet',
])
export const hints = say('hints', '按字母点选控件', 'Press a control by letters', ';', [
  '按键提示',
  'hints',
])
export const sidebar = say('sidebar', '收起或展开侧栏', 'Toggle the sidebar', 'mod+.', [
  '菜单',
  'menu',
])
export const searchMenu = say('searchMenu', '搜索菜单', 'Search the menu')
export const copyLink = say('copyLink', '复制链接', 'Copy link', 'mod+shift+c')
export const myExports = say('myExports', '我的任务与导出', 'My jobs and exports', 'w d', [
  '我的导出',
  '下载',
  '导出记录',
  '批量任务',
  '后台任务',
  'my exports',
  'downloads',
  'jobs',
])
export const undo = say('undo', '撤销上一步操作', 'Undo the last action', 'mod+z')
export const undoList = say('undoList', '可撤销的操作', 'What can be undone', 'w u', [
  '撤销',
  '反悔',
  'undo history',
])
export const bulkReport = say('bulkReport', '批量操作结果', 'Outcome of the last batch', 'w b', [
  '失败明细',
  '重试',
  'bulk report',
])
export const bulkResume = say(
  'bulkResume',
  '继续中断的批量操作',
  'Carry on with the interrupted batch',
)
export const goBack = say('goBack', '后退', 'Back', 'alt+arrowleft')
export const goForward = say('goForward', '前进', 'Forward', 'alt+arrowright')
export const up = say('up', '返回上一级', 'Up one level', 'escape')

export const splitRight = say('splitRight', '向右分屏', 'Split right', 'w v')
export const splitBelow = say('splitBelow', '向下分屏', 'Split below', 'w s')
export const newTab = say('newTab', '新建标签', 'New tab', 'w t')
export const closePane = say('closePane', '关闭窗格', 'Close the pane', 'w q', [
  '关闭标签页',
  'close the tab',
])
export const closeOthers = say('closeOthers', '关闭其他窗格', 'Close the other panes', 'w o')
/** What a tab's own menu offers, by key and in the palette too. */
export const refreshTab = say('refreshTab', '刷新页面', 'Refresh the page', 'w shift+r', [
  '刷新标签页',
  'reload the tab',
])
export const closeOtherTabs = say(
  'closeOtherTabs',
  '关闭其他标签页',
  'Close the other tabs',
  'w shift+o',
)
export const closeTabsRight = say(
  'closeTabsRight',
  '关闭右侧标签页',
  'Close the tabs to the right',
  'w shift+q',
)
export const pinTab = say('pinTab', '固定或取消固定标签页', 'Pin or unpin the tab', 'w shift+p')
export const tabBack = say('tabBack', '标签页左移', 'Move the tab left', 'w shift+b')
export const tabForth = say('tabForth', '标签页右移', 'Move the tab right', 'w shift+n')
export const tabList = say('tabList', '打开的标签页', 'Open tabs', 'w shift+t', [
  '全部标签',
  'all tabs',
])
export const pageTabs = say(
  'pageTabs',
  '开启或关闭页面标签',
  'Turn page tabs on or off',
  undefined,
  ['标签页', '多标签', '设置', 'tabs setting'],
)
export const maximise = say('maximise', '最大化或还原窗格', 'Maximise or restore the pane', 'w m')
export const focusLeft = say('focusLeft', '聚焦左侧窗格', 'Focus the pane to the left', 'w h')
export const focusDown = say('focusDown', '聚焦下方窗格', 'Focus the pane below', 'w j')
export const focusUp = say('focusUp', '聚焦上方窗格', 'Focus the pane above', 'w k')
export const focusRight = say('focusRight', '聚焦右侧窗格', 'Focus the pane to the right', 'w l')
export const nextPane = say('nextPane', '下一个窗格', 'Next pane', 'w n')
export const previousPane = say('previousPane', '上一个窗格', 'Previous pane', 'w p')
export const nextPaneTab = say('nextPaneTab', '下一个窗格标签', 'Next pane tab', 'w ]')
export const previousPaneTab = say('previousPaneTab', '上一个窗格标签', 'Previous pane tab', 'w [')
export const moveLeft = say('moveLeft', '窗格左移', 'Move the pane left', 'w shift+h')
export const moveDown = say('moveDown', '窗格下移', 'Move the pane down', 'w shift+j')
export const moveUp = say('moveUp', '窗格上移', 'Move the pane up', 'w shift+k')
export const moveRight = say('moveRight', '窗格右移', 'Move the pane right', 'w shift+l')
export const swapNext = say('swapNext', '与下一个窗格互换', 'Swap with the next pane', 'w x')
export const wider = say('wider', '窗格加宽', 'Wider pane', 'w .')
export const narrower = say('narrower', '窗格变窄', 'Narrower pane', 'w ,')
export const taller = say('taller', '窗格加高', 'Taller pane', 'w =')
export const shorter = say('shorter', '窗格变矮', 'Shorter pane', 'w -')
export const equalise = say('equalise', '窗格等分', 'Equal panes', 'w e')
/** Panes on one channel follow the row of the pane in front: one action a channel. */
export const link = CHANNELS.map(channel =>
  say(
    `link${channel}`,
    `窗格联动到通道 ${channel}`,
    `Link the pane to channel ${channel}`,
    `w ${channel}`,
    ['联动', 'link'],
  ),
)
export const unlink = say('unlink', '取消窗格联动', 'Unlink the pane', 'w 0', ['固定', 'pin'])
export const followBeside = say(
  'followBeside',
  '在旁边打开并跟随当前行',
  'Open beside and follow the row',
  'w i',
  ['联动', '详情', 'linked'],
)

/** The layout itself: taken back, saved under a name, sent as a link, moved to another window. */
export const undoLayout = say('undoLayout', '撤销布局调整', 'Undo the layout change', 'w z', [
  '恢复窗格',
  'reopen the pane',
])
export const redoLayout = say('redoLayout', '重做布局调整', 'Redo the layout change', 'w shift+z')
export const layoutList = say('layouts', '布局列表', 'Layouts', 'w g', [
  '工作区',
  '打开布局',
  'workspaces',
])
export const saveLayout = say('saveLayout', '保存布局', 'Save the layout', 'w shift+s')
export const revertLayout = say(
  'revertLayout',
  '还原到已保存的布局',
  'Back to the saved layout',
  'w r',
)
export const copyLayoutLink = say('copyLayoutLink', '复制布局链接', 'Copy the layout link', 'w c', [
  '分享布局',
  'share the layout',
])
export const popOut = say(
  'popOut',
  '窗格移到新窗口或移回',
  'Pane to a window of its own, and back',
  'w y',
  ['弹出', '第二屏', 'pop out'],
)
export const keptPages = say('keptPages', '已保留的页面', 'Kept pages', 'w a', ['冻结', 'frozen'])
/** What stands now (`state`) under a name. */
export const saveLayoutAs = action(layoutCalls.save, {
  title: '另存布局',
  en: 'Save the layout as',
  key: 'w shift+a',
  at: home,
  asks: { name: ask.text({ label: ['布局名称', 'Name'], max: 32 }) },
  input: ([now], { name }) => ({ name, state: (now as { state: never }).state }),
})
const one = ([row]: readonly unknown[]) => {
  const { id, version } = row as { id: number; version: number }
  return { id, version }
}
/** Renames the saved layout that stands. */
export const renameLayout = action(layoutCalls.rename, {
  title: '重命名布局',
  en: 'Rename the layout',
  at: home,
  asks: {
    name: ask.text({
      label: ['布局名称', 'Name'],
      max: 32,
      initial: rows => (rows[0] as { name: string } | undefined)?.name,
    }),
  },
  input: (rows, { name }) => ({ ...one(rows), name }),
})
export const deleteLayout = action(layoutCalls.del, {
  title: '删除布局',
  en: 'Delete the layout',
  danger: true,
  at: home,
  input: one,
})

export const themeLight = say('themeLight', '浅色主题', 'Light theme', undefined, ['白天', 'theme'])
export const themeDark = say('themeDark', '深色主题', 'Dark theme', undefined, ['夜间', 'theme'])
export const themeSystem = say('themeSystem', '主题跟随系统', 'Follow the system theme')
export const contrastMore = say('contrastMore', '高对比度', 'High contrast', undefined, [
  '无障碍',
  '看不清',
  '弱视',
  'accessibility',
  'contrast',
])
export const contrastUsual = say('contrastUsual', '标准对比度', 'Usual contrast', undefined, [
  'contrast',
])
export const contrastSystem = say('contrastSystem', '对比度跟随系统', 'Follow the system contrast')
export const languageZh = say('languageZh', '切换到中文', 'Switch to Chinese', undefined, ['语言'])
export const languageEn = say('languageEn', '切换到英文', 'Switch to English', undefined, [
  'English',
  '语言',
])
export const myMessages = say('messages', '我的消息', 'My messages', 'w shift+i', [
  '通知',
  '未读消息',
  '铃铛',
  '站内信',
  'notifications',
  'inbox',
])
/** What a person finds under their own name. */
export const personMenu = say('personMenu', '打开我的菜单', 'Open my menu', 'w shift+m', [
  '用户菜单',
  '头像',
  'user menu',
  'account',
])
export const profile = say('profile', '个人资料', 'My profile', undefined, [
  '我的资料',
  '数据范围',
  '我的角色',
  'profile',
])
export const changePassword = say('changePassword', '修改密码', 'Change my password', 'w shift+c', [
  '改密码',
  '密码',
  'password',
])
export const mySessions = say('mySessions', '我的会话', 'My sessions', 'w shift+d', [
  '登录设备',
  '已登录的浏览器',
  '下线其他',
  'devices',
  'sessions',
])
/** Hides the work of all windows until the password was given; over any dialog too. */
export const lockScreen = say('lockScreen', '锁屏', 'Lock the screen', 'mod+shift+l', [
  '锁定屏幕',
  '离开',
  'lock',
])
export const autoLockSetting = say(
  'autoLockSetting',
  '自动锁屏',
  'Lock the screen by itself',
  undefined,
  ['无操作锁屏', '锁屏设置', 'auto lock'],
)
export const signOut = action('workbench.logout', {
  title: '退出登录',
  en: 'Sign out',
  at: home,
  also: [signIn],
  alias: ['注销', 'logout'],
})
