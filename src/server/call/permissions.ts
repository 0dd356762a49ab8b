import type { FieldMode } from './implement.ts'

/**
 * True when `pattern` (`audit.bulks.approve`, `audit.*`, `*`) grants `permit`. A star stands only
 * at the end, for one step or more.
 */
export const matches = (pattern: string, permit: string): boolean =>
  pattern === '*' ||
  pattern === permit ||
  (pattern.endsWith('.*') && permit.startsWith(pattern.slice(0, -1)))

const stem = (permit: string) => permit.slice(0, permit.lastIndexOf('.'))

const KNOWN_MAX = 2000
/**
 * The check that a person with these patterns can do. Any action implies its page's view:
 * `audit.bulks.approve` grants `audit.bulks.view`, and, as a detail page is reached from its list,
 * `audit.product.detail.markField` grants `audit.product.detail.view` but not `audit.product.view`.
 */
export const checker = (perms: readonly string[]) => {
  const stems = new Set(perms.filter(perm => !perm.endsWith('*')).map(stem))
  const granted = (permit: string): boolean =>
    permit === 'signed-in' ||
    permit === 'public' ||
    perms.some(perm => matches(perm, permit)) ||
    (permit.endsWith('.view') && stems.has(stem(permit)))
  // A list asks of each of its rows; what is asked may also be somebody's words, of which there is
  // no end.
  const known = new Map<string, boolean>()
  return (permit: string): boolean => {
    const answer = known.get(permit) ?? granted(permit)
    if (known.size < KNOWN_MAX) known.set(permit, answer)
    return answer
  }
}

const generosity: Record<FieldMode, number> = { hide: 0, mask: 1, show: 2 }
/**
 * The rule of a guarded field: the most generous that a role says, else the field's own default,
 * else shown.
 */
export const fieldMode = (
  rules: readonly (FieldMode | undefined)[],
  byDefault: FieldMode | undefined,
): FieldMode =>
  rules.filter(rule => rule !== undefined).sort((a, b) => generosity[b] - generosity[a])[0] ??
  byDefault ??
  'show'
