import assert from "node:assert/strict";
import { test } from "node:test";
import * as three from "../../node_modules/three/build/three.module.js";
import { Cubes } from "../../static/js/space/cubes.js";
import { standing, thinOut } from "../../static/js/space/labels.js";
import { Recall } from "../../static/js/space/recall.js";
import { Rig } from "../../static/js/space/rig.js";
import { Sight } from "../../static/js/space/sight.js";

const near = (actual, expected) => {
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]) < 1e-9, `${actual} is not ${expected}`);
  });
};

test("the camera stands south of its target, and flies as it looks", () => {
  const rig = new Rig();
  Object.assign(rig, { pitch: 0, distance: 10, target: [5, 1, 5] });
  near(rig.eye(), [5, 1, 15]);
  rig.fly(2, 3, 4);
  near(rig.target, [8, 5, 3]);
  rig.turn(Math.PI / 2, 0); // now it stands east of it and looks west
  Object.assign(rig, { pitch: 0, target: [0, 0, 0] });
  near(rig.eye(), [10, 0, 0]);
  rig.fly(2, 0, 0);
  near(rig.target, [-2, 0, 0]);
});

test("the camera neither dives below the ground nor tips over", () => {
  const rig = new Rig();
  rig.turn(0, -9);
  assert.ok(rig.pitch > 0);
  rig.turn(0, 9);
  assert.ok(rig.pitch < Math.PI / 2);
  rig.fly(0, 0, -99);
  assert.equal(rig.target[1], 0);
  rig.zoom(1e9);
  assert.equal(rig.distance, 3);
});

test("all of an area is seen from its middle", () => {
  const rig = new Rig();
  rig.frame({ min: [-10, 0], max: [30, 20] });
  assert.deepEqual(rig.target, [10, 0, 10]);
  assert.equal(rig.distance, 34);
});

test("of labels that would lie over one another the chosen and then the nearest stand", () => {
  const box = (x, y, depth, chosen = false) => ({ x, y, width: 40, height: 10, depth, chosen });
  const [far, near, beside, below, touching] = [
    box(100, 50, 9),
    box(130, 55, 3),
    box(170, 55, 5), // begins where the near one ends
    box(130, 65, 7), // below the near one
    box(100, 41, 8), // over the far one alone
  ];
  assert.deepEqual(standing([far, near, beside, below, touching]), new Set([near, beside, below, touching]));
  const chosen = { ...far, chosen: true };
  assert.deepEqual(standing([near, chosen, beside, below, touching]), new Set([chosen, beside, below]));
});

test("labels are hidden by where they lie on the screen, and those behind the camera with them", () => {
  // Looking along −z with 90° of view: one unit away, a unit is half of the picture's height of 200.
  const camera = new three.PerspectiveCamera(90, 2, 0.1, 100);
  const body = (x, z) => {
    const group = new three.Group();
    const label = new three.Object3D();
    label.scale.set(0.4, 0.1, 1); // 40 by 10 pixels, wherever it is
    label.userData.share = [0.5, 1]; // of which 20 by 10 are written on
    group.position.set(x, 0, z);
    group.add(new three.Object3D(), label);
    return group;
  };
  // The middles lie at 200 + 100 · x / −z: 200, 219, 221, and behind.
  const groups = [body(0, -10), body(3.8, -20), body(2.1, -10), body(0, 10)];
  const shown = () => groups.map(({ children }) => children[1].visible);
  thinOut(groups, camera, { width: 400, height: 200 });
  assert.deepEqual(shown(), [true, false, true, false]);
  groups[1].userData.chosen = true;
  thinOut(groups, camera, { width: 400, height: 200 });
  assert.deepEqual(shown(), [false, true, false, false]);
});

test("cubes grow beyond their first room, and a removed one makes room for the last", () => {
  const scene = new three.Scene();
  const cubes = new Cubes(three, scene, new three.MeshLambertMaterial());
  for (let i = 0; i < 3_000; i += 1) {
    cubes.set(`c${i}`, [i, 0, 0], "#ff0000");
  }
  cubes.set("c7", [7, 5, 0], "#0000ff");
  assert.deepEqual([cubes.mesh.count, scene.children.length], [3_000, 1]);
  cubes.remove("c0");
  cubes.remove("c0");
  cubes.remove("c2998");
  const matrix = new three.Matrix4();
  const place = (key) => {
    cubes.mesh.getMatrixAt(cubes.slots.get(key), matrix);
    return new three.Vector3().setFromMatrixPosition(matrix).toArray();
  };
  assert.deepEqual(place("c2999"), [2_999, 0, 0]);
  assert.deepEqual(place("c7"), [7, 5, 0]);
  assert.deepEqual([cubes.mesh.count, cubes.slots.get("c2999")], [2_998, 0]);
  const colour = new three.Color();
  cubes.mesh.getColorAt(cubes.slots.get("c7"), colour);
  assert.equal(colour.getHexString(), "0000ff");
});

test("what nobody sees is dark in every material that has the limit", () => {
  const sight = new Sight(three);
  const material = sight.limit(new three.MeshLambertMaterial());
  const { vertexShader, fragmentShader } = three.ShaderLib.lambert;
  const shader = { uniforms: {}, vertexShader, fragmentShader };
  material.onBeforeCompile(shader);
  assert.match(shader.vertexShader, /varying vec3 seenAt;.*seenAt = \( modelMatrix/s);
  assert.match(shader.fragmentShader, /uniform vec4 sights.*gl_FragColor\.rgb = mix\( sightShade/s);
  sight.show([
    { place: [1, 2, 3], range: 16 },
    { place: [4, 5, 6], range: 8 },
  ]);
  assert.deepEqual([shader.uniforms.sightLimited.value, shader.uniforms.sightCount.value], [true, 2]);
  assert.deepEqual(shader.uniforms.sights.value[1].toArray(), [4, 5, 6, 8]);
  sight.show([]); // the dead see nothing
  assert.deepEqual([shader.uniforms.sightLimited.value, shader.uniforms.sightCount.value], [true, 0]);
  sight.show(null);
  assert.equal(shader.uniforms.sightLimited.value, false);
});

test("what is remembered is shown where nobody sees it, and touched only where it is another", () => {
  const done = [];
  const cubes = { set: (key, centre) => done.push([key, ...centre]), remove: (key) => done.push(key) };
  const recall = new Recall(cubes);
  const block = (x) => [{ x, y: 65, z: 0, block: "stone", tick: 0 }];
  const far = block(20);
  const mind = (x, ...columns) => ({
    eyes: () => [{ place: [x, 64, 0], range: 10 }],
    blocks: new Map(columns.map((blocks) => [blocks[0].x, blocks])),
  });
  const after = (...shown) => {
    recall.show(...shown, 64);
    return done.splice(0);
  };
  assert.deepEqual(after(mind(0, block(3), far), 0), [["20,65,0", 20, 1.5, 0]]);
  assert.deepEqual(after(mind(0, block(3), far), 20), []);
  assert.deepEqual(after(mind(15, block(3), far), 40), [["3,65,0", 3, 1.5, 0], "20,65,0"]);
  assert.deepEqual(after(null, 40), ["3,65,0"]);
});
