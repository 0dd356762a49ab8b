import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import { guarded, id, json, keyText, lines, text, unix, version } from '#src/contract/shapes.ts'
import { uploadToken } from '#src/contract/upload.ts'
import { passwordPattern } from '#src/domain/validate.ts'

const password = keyText(64, 1).regex(passwordPattern, { message: 'password' })

type MenuNode = {
  id: number
  title: string
  redirect: string
  keep_alive?: boolean | undefined
  children: MenuNode[]
}
/**
 * A node of the left menu (specification, section 3). `redirect` is the address, '' for a group;
 * `keep_alive` stands where it differs from the page's own.
 */
export const menuNode: z.ZodType<MenuNode, MenuNode> = z.object({
  id: z.int(),
  title: z.string(),
  redirect: z.string(),
  keep_alive: z.boolean().optional(),
  get children() {
    return z.array(menuNode)
  },
})

/** A setting as it is kept; `updated_at` tells which of two that differ was set later. */
const kept = z.object({ name: z.string(), value: json, version, updated_at: unix })
const sessionId = z.int().min(-2147483648).max(2147483647)
/** A page's path or an action's id. */
const command = z.string().regex(/^[\w./:-]{1,96}$/)
const ids = z.union([z.literal('all'), z.array(z.int())])

export const session = {
  /**
   * What the sign-in page needs before anyone signed in. Accounts and their password are named in
   * demo mode only.
   */
  welcome: read('session/welcome', ['登录页信息', 'Sign-in page'], {
    input: z.object({}),
    output: z.object({
      demo: z
        .object({
          password: z.string(),
          accounts: z.array(z.object({ account: z.string(), title: z.string() })),
        })
        .nullable(),
    }),
    touches: [],
    scope: { none: 'Nobody is signed in yet' },
    permit: 'public',
  }),
  /**
   * A proof of work to do (areas/people/proofOfWork.ts), asked for from the third wrong try; good
   * for one try within two minutes.
   */
  captcha: read('getCaptcha', ['登录验证', 'Sign-in check'], {
    input: z.object({}),
    output: z.object({ captcha_id: z.string(), bits: z.int() }),
    touches: [],
    scope: { none: 'Nobody is signed in yet' },
    permit: 'public',
  }),
  /** A refusal's data: `tries_left`, `captcha_required`, `locked_until`. */
  login: write('login', ['登录', 'Sign in'], {
    input: z.object({
      account: text(32),
      password,
      /** The number found for `captcha_id`. */
      captcha: text(16, 0).optional(),
      captcha_id: keyText(128).optional(),
    }),
    output: z.object({
      token: z.string(),
      expires_at: unix,
      /** Nothing else is answered until the password is changed. */
      must_change: z.boolean(),
    }),
    touches: [],
    scope: { none: 'Nobody is signed in yet' },
    permit: 'public',
    quiet: true,
    apart: true,
  }),
  logout: write('logout', ['退出登录', 'Sign out'], {
    method: 'GET',
    input: z.object({}),
    output: z.object({}),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  /** The same by POST: a GET may be sent again by what stands between. */
  signOut: write('logout', ['退出登录', 'Sign out'], {
    input: z.object({}),
    output: z.object({}),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  me: read('session/me', ['我的信息', 'Me'], {
    input: z.object({}),
    output: z.object({
      id: z.int(),
      name: z.string(),
      account: z.string(),
      avatar: z.string().nullable(),
      must_change: z.boolean(),
      roles: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
      /** Every permission key of pages and actions that this person has, patterns resolved. */
      permits: z.array(z.string()),
      scope: z.object({ cities: ids, malls: ids, own: z.boolean() }),
      fields: z.record(z.string(), z.enum(['show', 'mask', 'hide'])),
      settings: z.object({ pinned_paths: z.array(z.string()), card_order: z.array(z.string()) }),
      expires_at: unix,
      demo: z.boolean(),
    }),
    touches: ['me', 'role'],
    scope: 'own',
    permit: 'signed-in',
  }),
  menu: read('sysadmin/getUserLeftMenu', ['左侧菜单', 'Left menu'], {
    method: 'POST',
    input: z.object({}),
    output: z.array(menuNode),
    touches: ['me', 'role', 'menu'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** Also the way out of `must_change`. Ends every other session of the person. */
  changePassword: write('session/changePassword', ['修改密码', 'Change password'], {
    input: z.object({ old_password: password, new_password: password }),
    output: z.object({}),
    touches: ['me'],
    scope: 'own',
    tries: true,
    permit: 'signed-in',
  }),
  changeInitialPassword: write(
    'session/changeInitialPassword',
    ['修改初始密码', 'Change the initial password'],
    {
      input: z.object({ old_password: password, new_password: password }),
      output: z.object({}),
      touches: ['me'],
      scope: 'own',
      tries: true,
      permit: 'signed-in',
    },
  ),
  /** What the caller has set for themselves, by name: keys, views, layouts. */
  settings: read('session/settings', ['我的设置', 'My settings'], {
    input: z.object({}),
    output: z.array(kept),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * `version` is the one it was read at, 0 for a new name; whoever comes too late gets the newer
   * one as `current`. `admin_id` is whose it is: a browser in which another person has just signed
   * in sends nothing to them.
   */
  saveSetting: write('session/saveSetting', ['保存个人设置', 'Save a setting of one’s own'], {
    input: z.object({
      admin_id: id,
      name: z.string().regex(/^[\w.:/-]{1,64}$/),
      value: json,
      version,
    }),
    output: kept,
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  /** Names at most three people, with their roles, who can grant a right that one lacks. */
  grantors: read('session/grantors', ['谁能开通权限', 'Who can grant a right'], {
    input: z.object({ permit: keyText(96, 1).optional() }),
    output: z.object({ list: z.array(z.object({ name: z.string(), role: z.string() })) }),
    touches: ['role'],
    scope: { none: 'Whom to ask is told to everybody who is signed in' },
    permit: 'signed-in',
  }),
  /**
   * What the people of one's roles use, for the palette's order before one has habits of one's own.
   */
  habits: read('session/habits', ['角色常用', 'What one’s role uses'], {
    input: z.object({}),
    output: z.object({
      list: z.array(
        z.object({ page: z.string(), command: z.string(), score: z.number(), at: unix }),
      ),
    }),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * How often commands were used since it was last told; for the count of the roles, nobody's own
   * is kept.
   */
  noteHabits: write('session/noteHabits', ['累计常用操作', 'Count what was used'], {
    input: z.object({
      admin_id: id,
      used: z
        .array(z.object({ page: command, command, n: z.int().min(1).max(50) }))
        .min(1)
        .max(200),
    }),
    output: z.object({}),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  /** What /error tells the engineers; at most ten an hour from one person. */
  reportError: write('session/reportError', ['上报页面错误', 'Report a page error'], {
    input: z.object({
      kind: z.enum(['not_found', 'no_permission', 'chunk', 'crash', 'timeout']),
      path: text(255),
      memo: lines(255, 0).optional(),
      release: text(32, 0).optional(),
    }),
    output: z.object({ kept: z.boolean() }),
    touches: [],
    scope: { none: 'What a browser tells of its own fault' },
    permit: 'public',
    quiet: true,
  }),
  /**
   * Specification, section 7: a token for the image store and the domain its pictures are seen
   * under.
   */
  uploadToken,
}

/**
 * A session as its person sees it. `id` is below zero while it could not be stored: the database
 * took no writes when it was opened.
 */
const mine = z.object({
  id: sessionId,
  device: z.string(),
  ip: z.string(),
  created_at: unix,
  seen_at: unix,
  current: z.boolean(),
})
export type MySession = z.output<typeof mine>

/** What a person reads about themselves beside `session/me`, and the sessions they are in. */
export const person = {
  profile: read('session/profile', ['个人资料', 'My profile'], {
    input: z.object({}),
    output: z.object({
      name: z.string(),
      account: z.string(),
      phone: guarded('admin.phone', z.string().nullable()),
      department: z.string().nullable(),
      roles: z.array(z.string()),
      /** Names of what the person may see; null for everything. */
      cities: z.array(z.string()).nullable(),
      malls: z.array(z.string()).nullable(),
      /** Sees what they, or their department, look after. */
      own: z.boolean(),
      /** Guarded fields that the person sees masked or not at all, by their names. */
      masked: z.array(z.string()),
      hidden: z.array(z.string()),
      last_login_at: unix.nullable(),
      last_login_ip: z.string().nullable(),
    }),
    touches: ['me', 'role', 'admin'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** Those that live, this one first, then by when they were last seen. */
  sessions: read('session/sessions', ['我的会话', 'My sessions'], {
    input: z.object({}),
    output: z.object({ list: z.array(mine) }),
    touches: ['session', 'login_log', 'admin'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** Ends another of one's own sessions at once; its next call answers 410000. */
  endSession: write('session/endSession', ['下线会话', 'Sign out a session'], {
    input: z.object({ session_id: sessionId }),
    output: z.object({}),
    touches: ['session', 'login_log'],
    scope: 'own',
    permit: 'signed-in',
  }),
  endOtherSessions: write(
    'session/endOtherSessions',
    ['下线其他会话', 'Sign out the other sessions'],
    {
      input: z.object({}),
      output: z.object({ ended: z.int() }),
      touches: ['session', 'login_log'],
      scope: 'own',
      permit: 'signed-in',
    },
  ),
  /**
   * Proves to a locked screen that it is still the person who sits there. Its tries count as those
   * of a sign-in. Nothing is locked or opened on the server: the session goes on meanwhile.
   */
  unlock: write('session/unlock', ['解锁屏幕', 'Unlock the screen'], {
    input: z.object({ password }),
    output: z.object({}),
    touches: [],
    scope: 'own',
    tries: true,
    permit: 'signed-in',
    quiet: true,
    apart: true,
  }),
}
