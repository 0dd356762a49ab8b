import { page } from '../command.ts'

/**
 * The two screens outside the workbench. The shell draws them, so they have no file of their own
 * and stand in no menu.
 */
export const signIn = page('/', '登录', 'Sign in', { menu: false, permit: 'public', screen: true })
export const errorScreen = page('/error', '页面出错', 'Page error', {
  menu: false,
  permit: 'public',
  screen: true,
})
