import { z } from 'zod'
import {
  linkHealths,
  linkTargets,
  linkTypes,
  type LinkHealth,
  type LinkTarget,
  type LinkType,
} from '#src/areas/link/pageLink.ts'
import { placed, read } from './call.ts'
import { id, keyText, listOf, searched, text, version } from './shapes.ts'

/** Values of a link's parameters, by their names. */
export const linkParams = z.record(keyText(32), z.union([text(128, 0), z.int()]))
export const linkParam = z.object({
  key: z.string().regex(/^\w{1,32}$/),
  label: text(16),
  target: z.enum(Object.keys(linkTargets) as [LinkTarget]),
  required: z.boolean(),
  value: z.union([text(128), z.int()]).optional(),
})
export const linkType = z.enum(Object.keys(linkTypes) as [LinkType])
export const linkHealth = z.enum(Object.keys(linkHealths) as [LinkHealth])
/** The people who see something: everyone, or new members only, or members of these levels. */
export const audience = z.object({
  new_only: z.boolean().optional(),
  levels: z.array(z.int().min(0).max(99)).max(20).optional(),
})

/** Links to pick from: enabled and not known to be dead. */
export const linkOptions = read('system/hlink/options', ['可选页面链接', 'Links to choose'], {
  input: z.object({
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(100).default(20),
    keyword: searched(64).optional(),
  }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      type: linkType,
      path: z.string(),
      params: z.array(linkParam),
      version,
    }),
  ),
  touches: ['page_link'],
  scope: 'all',
  permit: 'signed-in',
})
/** Objects whose id a link's parameter asks for. */
export const linkObjects = read('system/hlink/objects', ['可选跳转对象', 'Targets to choose'], {
  input: z.object({
    target: z.enum(['store', 'mall', 'product', 'category']),
    city_id: id.optional(),
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(100).default(20),
    keyword: searched(64).optional(),
  }),
  output: listOf(z.object({ id, name: z.string(), note: z.string() })),
  touches: ['store', 'mall', 'product'],
  scope: placed('product'),
  permit: 'signed-in',
})

const picture = z.object({
  /** A PNG or JPEG as a data address. */
  image: z.string(),
  /**
   * False for the stand-in that is shown where WeChat is not set up: its QR opens nothing in
   * WeChat.
   */
  real: z.boolean(),
  caption: z.string(),
})
/** A QR of any text (specification, section 7; its query is ours). */
export const getQrImg = read('getQrImg', ['生成二维码', 'QR picture'], {
  input: z.object({ text: text(512), size: z.int().min(120).max(1280).default(320) }),
  output: picture,
  touches: [],
  scope: { none: 'It draws the text it is sent' },
  permit: 'signed-in',
})
/**
 * The mini-program code of a page, with up to 32 characters that the page reads (specification,
 * section 7; its query is ours).
 */
export const getMpImg = read('getMpImg', ['生成小程序码', 'Mini-program code'], {
  input: z.object({
    path: text(255),
    scene: text(32, 0).default(''),
    width: z.int().min(280).max(1280).default(430),
  }),
  output: picture,
  touches: [],
  scope: { none: 'It draws the address it is sent' },
  permit: 'signed-in',
})
/** What all who pick a link ask. */
export const linkPicks = { options: linkOptions, objects: linkObjects, getQrImg, getMpImg }
