/**
 * Everything that changes a task in Redis is one script, so that no two processes can both make a transition: each looks at
 * the state first and does nothing where the step is not one. Times of liveness are Redis's own, whatever the clocks of the
 * machines say. Keys have one hash tag, since the scripts build some of them. The number in it changes when the keys do: a
 * process of another generation then sees none of these tasks, rather than half understanding them.
 *
 * A connection that is cut leaves it open whether a script ran, and it is sent again. Each therefore does nothing the second
 * time and gives the same answer.
 */
export const TAG = '{wst3}';
export const PREFIX = `${TAG}:`;
/** The queue's name at BullMQ; its keys are `{wst3}:tasks:…`. */
export const QUEUE = 'tasks';

/** Each look into a task is one `HMGET` and each change one `HSET`: a worker waits for what a script does before it begins. */
const HELPERS = `
local P = '${PREFIX}'
local function now() local t = redis.call('TIME'); return t[1] * 1000 + math.floor(t[2] / 1000) end
-- What the list of steps is with one more.
local function after(steps, state, at, reason)
  local r = reason == '' and cjson.null or reason
  return (steps or '') .. cjson.encode({state = state, at = at, reason = r}) .. '\\n'
end
local function step(key, state, at, reason)
  redis.call('HSET', key, 'state', state, 'steps', after(redis.call('HGET', key, 'steps'), state, at, reason))
end
local function settle(id, keep)
  local key = P .. 'task:' .. id
  local have = redis.call('HMGET', key, 'owner', 'tenant', 'lists')
  redis.call('HDEL', key, 'job')
  redis.call('PEXPIRE', key, keep)
  redis.call('ZREM', P .. 'running', id)
  redis.call('ZREM', P .. 'waiting', id)
  if not have[1] then return end
  redis.call('SREM', P .. 'live:' .. have[1], id)
  redis.call('SREM', P .. 'live:' .. have[2], id)
  local old = now() - tonumber(keep)
  for list in string.gmatch(have[3], '%S+') do redis.call('ZREMRANGEBYSCORE', P .. 'list:' .. list, 0, old) end
end
-- From: where the writer says that its text begins. What is there already was written by the same call before.
local function write(id, from, text, size, most)
  if text == '' then return end
  local key = P .. 'task:' .. id
  local bytes = tonumber(redis.call('HGET', key, 'bytes'))
  if bytes ~= from then return end
  local at = 1
  while at <= #text do
    local segment = math.floor(bytes / size)
    local part = string.sub(text, at, at + size - (bytes % size) - 1)
    redis.call('APPEND', key .. ':out:' .. segment, part)
    bytes = bytes + #part
    at = at + #part
    if segment >= most then redis.call('DEL', key .. ':out:' .. (segment - most)) end
  end
  redis.call('HSET', key, 'bytes', bytes)
end
`;

const ADD = `${HELPERS}
local id, at, record, job, key, owner, tenant = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local ofOwner, ofTenant, keep, again = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10], ARGV[11]
local delay, deadline, lists = tonumber(ARGV[12]), tonumber(ARGV[13]), ARGV[14]
local task = P .. 'task:' .. id
if redis.call('EXISTS', task) == 1 then return {'added', id} end
local time = now()
if time > deadline then return {'late', ''} end
if key ~= '' then
  local known = redis.call('GET', P .. 'key:' .. key)
  if known and redis.call('EXISTS', P .. 'task:' .. known) == 1 then return {'known', known} end
end
if redis.call('SCARD', P .. 'live:' .. owner) >= ofOwner then return {'limit', ARGV[8], 'owner'} end
if redis.call('SCARD', P .. 'live:' .. tenant) >= ofTenant then return {'limit', ARGV[9], 'tenant'} end
redis.call('HSET', task, 'record', record, 'job', job, 'state', 'queued', 'steps', after('', 'queued', at, ''), 'bytes', 0,
  'attempt', 1, 'runs', 0, 'again', again, 'owner', owner, 'tenant', tenant, 'lists', lists)
redis.call('SADD', P .. 'live:' .. owner, id)
redis.call('SADD', P .. 'live:' .. tenant, id)
if key ~= '' then redis.call('SET', P .. 'key:' .. key, id, 'PX', keep) end
redis.call('ZADD', P .. 'waiting', time + delay, id)
for list in string.gmatch(lists, '%S+') do
  redis.call('ZADD', P .. 'list:' .. list, time, id)
  redis.call('PEXPIRE', P .. 'list:' .. list, keep)
end
return {'added', id}
`;

/**
 * The idempotency record: whoever gets the job here is the only one that ever runs this attempt. With it comes where the
 * output goes on.
 */
const CLAIM = `${HELPERS}
local id, at, attempt, claimer = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local task = P .. 'task:' .. id
local have = redis.call('HMGET', task, 'state', 'attempt', 'claimer', 'bytes', 'job', 'steps', 'runs')
if have[2] ~= attempt then return nil end
if have[1] == 'queued' then
  redis.call('HSET', task, 'state', 'running', 'steps', after(have[6], 'running', at, ''), 'claimer', claimer,
    'runs', have[7] + 1)
  redis.call('ZADD', P .. 'running', now(), id)
  redis.call('ZREM', P .. 'waiting', id)
elseif have[1] ~= 'running' or have[3] ~= claimer then
  return nil
end
return {have[5], tonumber(have[4])}
`;

const FINISH = `${HELPERS}
local id, at, state, exit, text, size, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local reason, keep, from = ARGV[8], ARGV[9], tonumber(ARGV[10])
local task = P .. 'task:' .. id
local have = redis.call('HMGET', task, 'state', 'steps')
if have[1] ~= 'running' and have[1] ~= 'stopping' then return have[1] or 'gone' end
write(id, from, text, size, most)
local steps = have[2]
if state == 'killed' and have[1] == 'running' then steps = after(steps, 'stopping', at, reason) end
redis.call('HSET', task, 'exit', exit, 'state', state, 'steps', after(steps, state, at, reason))
settle(id, keep)
local bytes = tonumber(redis.call('HGET', task, 'bytes'))
if bytes > 0 then
  for segment = math.max(0, math.floor(bytes / size) - most), math.floor(bytes / size) do
    redis.call('PEXPIRE', task .. ':out:' .. segment, keep)
  end
end
return state
`;

const WRITE = `${HELPERS}
local state = redis.call('HGET', P .. 'task:' .. ARGV[1], 'state')
if state == 'running' or state == 'stopping' then
  write(ARGV[1], tonumber(ARGV[5]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
end
return state
`;

const READ = `${HELPERS}
local task = P .. 'task:' .. ARGV[1]
local cursor, most, size, kept = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local have = redis.call('HMGET', task, 'state', 'bytes')
if not have[1] then return nil end
local bytes = tonumber(have[2])
local first = 0
if bytes > 0 then first = math.max(0, math.floor((bytes - 1) / size) - kept + 1) * size end
local at = math.max(cursor, first)
local text = {}
local left = math.min(most, bytes - at)
local from = at
while left > 0 do
  local segment = math.floor(at / size)
  local inside = at - segment * size
  local part = redis.call('GETRANGE', task .. ':out:' .. segment, inside, inside + left - 1)
  if #part == 0 then break end
  text[#text + 1] = part
  at = at + #part
  left = left - #part
end
return {have[1], tostring(bytes), tostring(from), table.concat(text)}
`;

const KILL = `${HELPERS}
local id, at, reason = ARGV[1], ARGV[2], ARGV[3]
local task = P .. 'task:' .. id
local state = redis.call('HGET', task, 'state')
if state == 'queued' then
  redis.call('HSET', task, 'exit', ARGV[4])
  step(task, 'killed', at, reason)
  settle(id, ARGV[5])
elseif state == 'running' then
  step(task, 'stopping', at, reason)
end
if state == 'running' or state == 'stopping' then redis.call('PUBLISH', P .. 'kill', id) end
return state
`;

/** Signs of life, and the way by which a worker hears of what it missed while it was cut off. */
const BEAT = `${HELPERS}
local at = now()
local states = {}
for index, id in ipairs(ARGV) do
  redis.call('ZADD', P .. 'running', 'XX', at, id)
  states[index] = redis.call('HGET', P .. 'task:' .. id, 'state') or 'gone'
end
return states
`;

/**
 * Tasks whose worker gave no sign for too long: lost, or queued again where that is allowed. And tasks that wait while
 * BullMQ has no job for them any more, since a process ended between the two: they have not run, and get another job. When
 * nobody has looked for a while, Redis itself was away, and the workers get their time to come back first.
 */
const SWEEP = `${HELPERS}
local at, patience, keep, most = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local time = now()
local last = tonumber(redis.call('GET', P .. 'swept') or '0')
redis.call('SET', P .. 'swept', time)
if time - last > patience / 2 then redis.call('SET', P .. 'spared', time, 'PX', patience) end
if redis.call('EXISTS', P .. 'spared') == 1 then return {time, {}} end
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'running', '-inf', time - patience, 'LIMIT', 0, 100)) do
  local task = P .. 'task:' .. id
  local have = redis.call('HMGET', task, 'state', 'attempt', 'again', 'runs')
  redis.call('ZREM', P .. 'running', id)
  if have[1] == 'running' and have[3] == '1' and tonumber(have[4]) < most then
    redis.call('HSET', task, 'attempt', have[2] + 1)
    step(task, 'queued', at, 'its worker ended; it may run again')
    redis.call('ZADD', P .. 'waiting', time, id)
    found[#found + 1] = {id, tostring(have[2] + 1), tostring(have[4])}
  elseif have[1] == 'running' or have[1] == 'stopping' then
    redis.call('HSET', task, 'exit', ARGV[5])
    step(task, 'lost', at, ARGV[6])
    settle(id, keep)
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'waiting', '-inf', time - patience, 'LIMIT', 0, 500)) do
  local task = P .. 'task:' .. id
  local have = redis.call('HMGET', task, 'state', 'attempt')
  local suffix = have[2] == '1' and '' or '-' .. (have[2] or '')
  if have[1] ~= 'queued' then
    redis.call('ZREM', P .. 'waiting', id)
  else
    redis.call('ZADD', P .. 'waiting', time, id)
    if redis.call('EXISTS', P .. '${QUEUE}:' .. id .. suffix) == 0 then
      redis.call('HSET', task, 'attempt', have[2] + 1)
      found[#found + 1] = {id, tostring(have[2] + 1), '0'}
    end
  end
end
return {time, found}
`;

export const SCRIPTS = {
  wstAdd: ADD,
  wstClaim: CLAIM,
  wstFinish: FINISH,
  wstWrite: WRITE,
  wstRead: READ,
  wstKill: KILL,
  wstBeat: BEAT,
  wstSweep: SWEEP,
} as const;
