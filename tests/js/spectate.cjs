// A player who only watches, by the protocol alone: prints its game mode and the players that it hears of.
const { createClient } = require('minecraft-protocol')

const client = createClient({ host: '127.0.0.1', port: +process.argv[2], username: 'Watcher', version: '1.19', auth: 'offline' })
client.on('login', (packet) => console.log('gamemode', packet.gameMode))
client.on('player_info', (packet) => console.log('players', JSON.stringify(packet.data)))
client.on('named_entity_spawn', (packet) => console.log('sees', JSON.stringify([packet.x, packet.y, packet.z])))
client.on('error', (error) => console.log('error', error.message))
client.on('end', (reason) => console.log('end', reason))
