/** “See what this agent knows” in three dimensions: what no observer sees is dark. Done by the shaders, pixel by pixel. */

const MOST = 64; // observers that a shader has room for
const LEFT = "0.14"; // how much of its colour keeps what is out of sight

const VERTEX = `
varying vec3 seenAt;
`;
const PLACE = `
vec4 placeSeen = vec4( transformed, 1.0 );
#ifdef USE_INSTANCING
  placeSeen = instanceMatrix * placeSeen;
#endif
seenAt = ( modelMatrix * placeSeen ).xyz;
`;
const FRAGMENT = `
varying vec3 seenAt;
uniform bool sightLimited;
uniform int sightCount;
uniform vec4 sights[ ${MOST} ];
uniform vec3 sightShade;
`;
const SHADE = `
if ( sightLimited ) {
  bool seen = false;
  for ( int i = 0; i < sightCount; i ++ ) {
    seen = seen || distance( seenAt, sights[ i ].xyz ) <= sights[ i ].w;
  }
  if ( ! seen ) gl_FragColor.rgb = mix( sightShade, gl_FragColor.rgb, ${LEFT} );
}
`;

/** What observers see, shared by all materials that it was given to. */
export class Sight {
  /** @param {any} three the library */
  constructor(three) {
    this.uniforms = {
      sightLimited: { value: false },
      sightCount: { value: 0 },
      sights: { value: Array.from({ length: MOST }, () => new three.Vector4()) },
      sightShade: { value: new three.Color() },
    };
  }

  /**
   * Have a material go dark where nobody sees it.
   * @param {any} material
   * @returns {any} the material
   */
  limit(material) {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", `#include <common>${VERTEX}`)
        .replace("#include <project_vertex>", `#include <project_vertex>${PLACE}`);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>${FRAGMENT}`)
        .replace("#include <opaque_fragment>", `#include <opaque_fragment>${SHADE}`);
    };
    return material;
  }

  /**
   * See all, or what is round some places.
   * @param {{place: number[], range: number}[] | null} observers in the scene's coordinates; null for everything
   */
  show(observers) {
    const { sightLimited, sightCount, sights } = this.uniforms;
    sightLimited.value = observers !== null;
    sightCount.value = Math.min(MOST, observers?.length ?? 0);
    for (let i = 0; i < sightCount.value; i += 1) {
      const { place, range } = observers[i];
      sights.value[i].set(...place, range);
    }
  }

  /** What is dark has nearly this colour. */
  dress(colour) {
    this.uniforms.sightShade.value.set(colour);
  }
}
