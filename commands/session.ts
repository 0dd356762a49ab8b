import { action } from './command.ts'
import { errorScreen, signIn } from './pages/session.ts'

export const login = action('session.login', { title: '登录', en: 'Sign in', at: signIn })
export const changeInitialPassword = action('session.changeInitialPassword', {
  title: '修改初始密码',
  en: 'Change the initial password',
  at: signIn,
})
export const toggleTheme = action('session.toggleTheme', {
  title: '切换主题',
  en: 'Theme',
  at: signIn,
})

export const suggest = action('error.suggest', {
  title: '查找相近页面',
  en: 'Pages like it',
  at: errorScreen,
})
export const report = action('error.report', { title: '上报问题', en: 'Report', at: errorScreen })
export const back = action('error.back', { title: '返回上一页', en: 'Back', at: errorScreen })
export const reload = action('error.reload', { title: '重新加载', en: 'Reload', at: errorScreen })
export const goHome = action('error.goHome', {
  title: '回到工作台',
  en: 'To the workbench',
  at: errorScreen,
})
