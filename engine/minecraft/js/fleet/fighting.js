// attack: follow the nearest mob of a type and hit it at the weapon's pace until it is dead.
const { distance, nearestCell, toCellSpace } = require('../shared/geometry')
const { TICK_MS } = require('../shared/clock')
const { follow } = require('./moving')

const ATTACK_REACH = 3
const ATTACK_MS = 15000
const CHASE_MS = 500
const HEALTH_KEY = 9

const healthOf = (entity) => entity.metadata[HEALTH_KEY] ?? 0

async function attack(unit, run, { entity_type: kind }) {
  const mob = unit.mobs().find((entity) => entity.name === kind)
  if (!mob) {
    await run.wait(1)
    return run.blame('not_found', `no ${kind} in sight`)
  }
  const whole = healthOf(mob)
  run.wanted = Math.ceil(whole)
  run.detail = `the ${kind} is dead`
  const end = Date.now() + ATTACK_MS
  const away = () => distance(unit.position, toCellSpace(mob.position))
  await unit.hold(unit.held)
  let [touch, hits] = [null, 0]
  while (mob.isValid && healthOf(mob) > 0) {
    if (Date.now() >= end) {
      return run.blame('timeout', `the ${kind} is still alive after 15 s, with ${healthOf(mob)} health`)
    }
    if (away() > ATTACK_REACH) {
      touch = null
      const reason = await chase(unit, run, mob, away)
      if (reason) return run.blame(reason, `there is no way to the ${kind}`)
      continue
    }
    if (touch === null) [touch, hits] = [Date.now(), 0]
    const due = touch + Math.ceil(((hits + 1) * 20) / rate(unit) - 1e-9) * TICK_MS
    if (Date.now() >= due) {
      hits++
      unit.bot.attack(mob)
      run.done = Math.max(run.done, 0)
    }
    await run.wait(1)
    run.done = Math.floor(whole - Math.max(0, healthOf(mob)))
  }
  if (healthOf(mob) > 0) run.blame('vanished', `the ${kind} is gone`)
  else run.done = run.wanted
}

function rate(unit) {
  const [, perSecond] = unit.config.weapons[unit.held ?? ''] ?? unit.config.weapons['']
  const level = (name) => (unit.bot.entity.effects[unit.bot.registry.effectsByName[name].id]?.amplifier ?? -1) + 1
  return perSecond * (1 + 0.1 * level('Haste')) * Math.max(0.01, 1 - 0.1 * level('MiningFatigue'))
}

/** Walk towards the mob until it is in reach or half a second has passed; the reason if there is no way. */
async function chase(unit, run, mob, away) {
  const began = Date.now()
  const way = unit.way(nearestCell(toCellSpace(mob.position)), ATTACK_REACH - 1)
  if (way === null) return 'unreachable'
  if (way.length === 1) {
    await run.wait(1)
    return ''
  }
  await follow(unit, run, way, () => {
    return !mob.isValid || away() <= ATTACK_REACH || Date.now() - began >= CHASE_MS ? 'look' : ''
  })
  return ''
}

module.exports = { attack }
