/**
 * Everything that changes a task in Redis is one script, so that no two processes can both make a transition: each looks at
 * the state first and does nothing where the step is not one. Times of liveness are Redis's own, whatever the clocks of the
 * machines say. Keys have one hash tag, since the scripts build some of them.
 */
export const PREFIX = '{wst}:';

const HELPERS = `
local P = '${PREFIX}'
local function now() local t = redis.call('TIME'); return t[1] * 1000 + math.floor(t[2] / 1000) end
local function step(key, state, at, reason)
  local r = reason == '' and cjson.null or reason
  redis.call('APPEND', key .. ':steps', cjson.encode({state = state, at = at, reason = r}) .. '\\n')
  redis.call('HSET', key, 'state', state)
end
local function settle(id, keep)
  local key = P .. 'task:' .. id
  local owner = redis.call('HMGET', key, 'owner', 'tenant')
  if owner[1] then redis.call('SREM', P .. 'live:' .. owner[1], id) end
  if owner[2] then redis.call('SREM', P .. 'live:' .. owner[2], id) end
  redis.call('ZREM', P .. 'running', id)
  redis.call('DEL', P .. 'job:' .. id)
  redis.call('PEXPIRE', key, keep)
  redis.call('PEXPIRE', key .. ':steps', keep)
end
local function write(id, text, size, most)
  if text == '' then return end
  local key = P .. 'task:' .. id
  local bytes = tonumber(redis.call('HGET', key, 'bytes'))
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

/** KEYS: task, live of owner, live of tenant, key's key. Lists: session, user, all. */
const ADD = `${HELPERS}
local id, at, record, job, key = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if key ~= '' then
  local known = redis.call('GET', P .. 'key:' .. key)
  if known and redis.call('EXISTS', P .. 'task:' .. known) == 1 then return {'known', known} end
end
if redis.call('SCARD', P .. 'live:' .. ARGV[6]) >= tonumber(ARGV[8]) then return {'limit', ARGV[8]} end
if redis.call('SCARD', P .. 'live:' .. ARGV[7]) >= tonumber(ARGV[9]) then return {'limit', ARGV[9]} end
local task = P .. 'task:' .. id
redis.call('HSET', task, 'record', record, 'bytes', 0, 'attempt', 1, 'owner', ARGV[6], 'tenant', ARGV[7])
step(task, 'queued', at, '')
redis.call('SADD', P .. 'live:' .. ARGV[6], id)
redis.call('SADD', P .. 'live:' .. ARGV[7], id)
if key ~= '' then redis.call('SET', P .. 'key:' .. key, id, 'PX', ARGV[10]) end
if job ~= '' then redis.call('SET', P .. 'job:' .. id, job) end
local score = now()
for index = 11, #ARGV do
  local list = P .. 'list:' .. ARGV[index]
  redis.call('ZADD', list, score, id)
  redis.call('ZREMRANGEBYSCORE', list, 0, score - tonumber(ARGV[10]))
  redis.call('PEXPIRE', list, ARGV[10])
end
return {'added', id}
`;

/** The idempotency record: whoever gets a 1 here is the only one that ever runs this attempt. */
const CLAIM = `${HELPERS}
local task = P .. 'task:' .. ARGV[1]
local have = redis.call('HMGET', task, 'state', 'attempt')
if have[1] ~= 'queued' or have[2] ~= ARGV[3] then return 0 end
step(task, 'running', ARGV[2], '')
redis.call('ZADD', P .. 'running', now(), ARGV[1])
return 1
`;

const FINISH = `${HELPERS}
local id, at, state, exit = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local task = P .. 'task:' .. id
local have = redis.call('HGET', task, 'state')
if have ~= 'running' and have ~= 'stopping' then return have or 'gone' end
write(id, ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]))
if state == 'killed' and have == 'running' then step(task, 'stopping', at, ARGV[8]) end
redis.call('HSET', task, 'exit', exit)
step(task, state, at, ARGV[8])
settle(id, ARGV[9])
local bytes = tonumber(redis.call('HGET', task, 'bytes'))
local size, most = tonumber(ARGV[6]), tonumber(ARGV[7])
for segment = math.max(0, math.floor(bytes / size) - most), math.floor(bytes / size) do
  redis.call('PEXPIRE', task .. ':out:' .. segment, ARGV[9])
end
return state
`;

const WRITE = `${HELPERS}
local state = redis.call('HGET', P .. 'task:' .. ARGV[1], 'state')
if state == 'running' or state == 'stopping' then write(ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])) end
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
 * Tasks whose worker gave no sign for too long: lost, or queued again where that is allowed. When nobody has looked for a
 * while, Redis itself was away, and the workers get their time to come back first.
 */
const SWEEP = `${HELPERS}
local at, patience, keep, most = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local time = now()
local last = tonumber(redis.call('GET', P .. 'swept') or '0')
redis.call('SET', P .. 'swept', time)
if time - last > patience / 2 then redis.call('SET', P .. 'spared', time, 'PX', patience) end
if redis.call('EXISTS', P .. 'spared') == 1 then return {} end
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'running', '-inf', time - patience, 'LIMIT', 0, 100)) do
  local task = P .. 'task:' .. id
  local have = redis.call('HMGET', task, 'state', 'attempt')
  local attempt = tonumber(have[2] or '0')
  redis.call('ZREM', P .. 'running', id)
  if have[1] == 'running' and attempt < most and redis.call('EXISTS', P .. 'job:' .. id) == 1 then
    redis.call('HSET', task, 'attempt', attempt + 1)
    step(task, 'queued', at, 'its worker ended; it may run again')
    found[#found + 1] = {id, tostring(attempt + 1), redis.call('GET', P .. 'job:' .. id)}
  elseif have[1] == 'running' or have[1] == 'stopping' then
    redis.call('HSET', task, 'exit', ARGV[5])
    step(task, 'lost', at, ARGV[6])
    settle(id, keep)
    found[#found + 1] = {id}
  end
end
return found
`;

/** What a task is, in one round trip. */
const GET = `
local task = '${PREFIX}task:' .. ARGV[1]
local have = redis.call('HMGET', task, 'record', 'state', 'exit', 'bytes')
if not have[1] then return nil end
have[5] = redis.call('GET', task .. ':steps')
return have
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
  wstGet: GET,
} as const;
